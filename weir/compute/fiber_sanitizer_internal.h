#pragma once

#include <cstddef>
#include <utility>

#if defined(__SANITIZE_ADDRESS__)
#include <pthread.h>
#include <sanitizer/common_interface_defs.h>
#elif defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace weir::compute {

/// Tells the sanitizers which stack runs; nothing in other builds.
class SanitizerFiber {
 public:
  SanitizerFiber() = default;
  SanitizerFiber(const SanitizerFiber&) = delete;
#if defined(__SANITIZE_ADDRESS__)
  SanitizerFiber(SanitizerFiber&&) = default;
  SanitizerFiber& operator=(SanitizerFiber&&) = default;
  static SanitizerFiber on(void* stack, std::size_t bytes) {
    SanitizerFiber fiber;
    fiber.stack_ = stack;
    fiber.bytes_ = bytes;
    return fiber;
  }
  static SanitizerFiber current() {
    pthread_attr_t attributes;
    SanitizerFiber fiber;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
      pthread_attr_getstack(&attributes, &fiber.stack_, &fiber.bytes_);
      pthread_attr_destroy(&attributes);
    }
    return fiber;
  }
  void leave_for(const SanitizerFiber& other) {
    __sanitizer_start_switch_fiber(&fake_stack_, other.stack_, other.bytes_);
  }
  void arrived() { __sanitizer_finish_switch_fiber(fake_stack_, nullptr, nullptr); }

 private:
  void* stack_ = nullptr;
  std::size_t bytes_ = 0;
  void* fake_stack_ = nullptr;
#elif defined(__SANITIZE_THREAD__)
  SanitizerFiber(SanitizerFiber&& other) noexcept
      : fiber_(std::exchange(other.fiber_, nullptr)), owned_(std::exchange(other.owned_, false)) {}
  SanitizerFiber& operator=(SanitizerFiber&& other) noexcept {
    std::swap(fiber_, other.fiber_);
    std::swap(owned_, other.owned_);
    return *this;
  }
  ~SanitizerFiber() {
    if (owned_) {
      __tsan_destroy_fiber(fiber_);
    }
  }
  static SanitizerFiber on(void*, std::size_t) {
    SanitizerFiber fiber;
    fiber.fiber_ = __tsan_create_fiber(0);
    fiber.owned_ = true;
    return fiber;
  }
  static SanitizerFiber current() {
    SanitizerFiber fiber;
    fiber.fiber_ = __tsan_get_current_fiber();
    return fiber;
  }
  void leave_for(const SanitizerFiber& other) { __tsan_switch_to_fiber(other.fiber_, 0); }
  void arrived() {}

 private:
  void* fiber_ = nullptr;
  bool owned_ = false;
#else
  SanitizerFiber(SanitizerFiber&&) = default;
  SanitizerFiber& operator=(SanitizerFiber&&) = default;
  static SanitizerFiber on(void*, std::size_t) { return {}; }
  static SanitizerFiber current() { return {}; }
  void leave_for(const SanitizerFiber&) {}
  void arrived() {}
#endif
};

}  // namespace weir::compute
