#include "weir/compute/flush_to_zero.h"

#include <cstdint>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace weir::compute {

#if defined(__x86_64__)
namespace {
constexpr unsigned kFlushBits = 0x8040;  // FTZ | DAZ of MXCSR
}
FlushToZero::FlushToZero() noexcept : saved_(_mm_getcsr()) {
  _mm_setcsr(saved_ | kFlushBits);
}
FlushToZero::~FlushToZero() {
  _mm_setcsr(saved_);
}
#elif defined(__aarch64__)
FlushToZero::FlushToZero() noexcept : saved_(0) {
  std::uint64_t control = 0;
  asm volatile("mrs %0, fpcr" : "=r"(control));
  saved_ = static_cast<unsigned>(control);
  asm volatile("msr fpcr, %0" ::"r"(control | (1U << 24)));
}
FlushToZero::~FlushToZero() {
  const std::uint64_t control = saved_;
  asm volatile("msr fpcr, %0" ::"r"(control));
}
#endif

}  // namespace weir::compute
