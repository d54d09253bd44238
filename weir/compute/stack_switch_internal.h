#pragma once

#include <cstddef>

#if !defined(__x86_64__)
#include <ucontext.h>
#endif

namespace weir::compute {

/// Where the flow of control that ran on a stack goes on. Switching costs a call: `swapcontext`
/// also asks the kernel for the signal mask, twice, which took most of the time of kernels with
/// barriers.
/// Threads: a place goes on on the thread it was left on. Exceptions do not leave a stack.
class StackPlace {
 public:
  StackPlace() = default;
  StackPlace(const StackPlace&) = delete;
  StackPlace& operator=(const StackPlace&) = delete;

  /// The next switch to this place calls `entry(argument)` on `stack`; it must not return.
  void begin_on(std::byte* stack, std::size_t bytes, void (*entry)(void*), void* argument);
  /// Goes on at `to`; returns when something switches back here.
  void leave_for(StackPlace& to) noexcept;

 private:
#if defined(__x86_64__)
  void* top_ = nullptr;  ///< Of the stack that was left, with the registers that a call must keep.
#else
  static void enter(unsigned low, unsigned high, unsigned argument_low, unsigned argument_high);
  ucontext_t context_{};
#endif
};

}  // namespace weir::compute
