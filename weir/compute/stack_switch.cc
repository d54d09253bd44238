#include <cstdint>

#include "weir/compute/stack_switch_internal.h"

#if defined(__x86_64__)

// The registers that a call must keep (System V ABI for x86-64, 3.2.1) stay on the stack that is
// left. The control words of the floating-point units are the thread's: no kernel changes them.
extern "C" void weir_switch_stack(void** left, void* next) noexcept;
// The first switch to a stack returns here: r12 is the entry, r13 its argument.
extern "C" void weir_begin_stack() noexcept;
asm(R"(
.text
.p2align 4
.hidden weir_switch_stack
.globl weir_switch_stack
.type weir_switch_stack, @function
weir_switch_stack:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size weir_switch_stack, . - weir_switch_stack
.p2align 4
.hidden weir_begin_stack
.globl weir_begin_stack
.type weir_begin_stack, @function
weir_begin_stack:
  movq %r13, %rdi
  callq *%r12
  ud2
.size weir_begin_stack, . - weir_begin_stack
)");

namespace weir::compute {

void StackPlace::begin_on(std::byte* stack, std::size_t bytes, void (*entry)(void*),
                          void* argument) {
  constexpr std::uintptr_t kAligned = 16;
  const auto end = reinterpret_cast<std::uintptr_t>(stack + bytes) / kAligned * kAligned;
  // As weir_switch_stack left it: r15, r14, r13, r12, rbx, rbp, and where to return to. After the
  // return the stack is aligned, as it must be before a call.
  auto* const top = reinterpret_cast<void**>(end) - 9;
  top[0] = top[1] = top[4] = top[5] = nullptr;
  top[2] = argument;
  top[3] = reinterpret_cast<void*>(entry);
  top[6] = reinterpret_cast<void*>(&weir_begin_stack);
  top[7] = top[8] = nullptr;  // no caller, for who walks the stack
  top_ = top;
}

void StackPlace::leave_for(StackPlace& to) noexcept {
  weir_switch_stack(&top_, to.top_);
}

}  // namespace weir::compute

#else

namespace weir::compute {
namespace {
// makecontext passes ints: a pointer travels in two halves.
unsigned low_half(const void* pointer) {
  return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(pointer));
}
unsigned high_half(const void* pointer) {
  return static_cast<unsigned>(
      static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(pointer)) >> 32);
}
std::uintptr_t whole(unsigned low, unsigned high) {
  return static_cast<std::uintptr_t>(static_cast<std::uint64_t>(low) |
                                     (static_cast<std::uint64_t>(high) << 32));
}
}  // namespace

void StackPlace::enter(unsigned low, unsigned high, unsigned argument_low, unsigned argument_high) {
  reinterpret_cast<void (*)(void*)>(whole(low, high))(
      reinterpret_cast<void*>(whole(argument_low, argument_high)));
}

void StackPlace::begin_on(std::byte* stack, std::size_t bytes, void (*entry)(void*),
                          void* argument) {
  getcontext(&context_);
  context_.uc_stack.ss_sp = stack;
  context_.uc_stack.ss_size = bytes;
  context_.uc_link = nullptr;
  const auto* start = reinterpret_cast<const void*>(entry);
  makecontext(&context_, reinterpret_cast<void (*)()>(&StackPlace::enter), 4, low_half(start),
              high_half(start), low_half(argument), high_half(argument));
}

void StackPlace::leave_for(StackPlace& to) noexcept {
  swapcontext(&context_, &to.context_);
}

}  // namespace weir::compute

#endif
