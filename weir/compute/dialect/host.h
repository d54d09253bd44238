#pragma once

// The kernel dialect as C++: what every .cl file is compiled against for the reference target.
#include <bit>
#include <cmath>
#include <limits>

#include "weir/compute/kernel_source.h"
#include "weir/compute/work_item.h"

#define KERNEL static
#define FUNCTION static inline
#define GLOBAL
#define LOCAL
#define RESTRICT __restrict
#define LOCAL_ARG const ::weir::compute::LocalBytes local_bytes
#define LOCAL_MEM(type, name) type* name = reinterpret_cast<type*>(local_bytes.data)
#define SYNC ::weir::compute::wait_for_group()
#define GLOBAL_ID (::weir::compute::this_item().global(0))
#define GLOBAL_ID_1 (::weir::compute::this_item().global(1))
#define GLOBAL_SIZE (::weir::compute::this_item().global_size(0))
#define GLOBAL_SIZE_1 (::weir::compute::this_item().global_size(1))
#define LOCAL_ID (static_cast<int>(::weir::compute::this_item().local[0]))
#define LOCAL_SIZE (static_cast<int>(::weir::compute::this_item().local_size[0]))
#define GROUP_ID (::weir::compute::this_item().group[0])
#define GROUP_COUNT (::weir::compute::this_item().group_count[0])
#define FMA(a, b, c) std::fma(a, b, c)
#define SELECT(condition, yes, no) ((condition) ? (yes) : (no))
#define AS_INT(x) std::bit_cast<int>(static_cast<float>(x))
#define AS_FLOAT(x) std::bit_cast<float>(static_cast<int>(x))
#define ROUND_EVEN(x) std::nearbyint(x)
#define ABS(x) std::fabs(x)
#define IS_NAN(x) ((x) != (x))
#define POPCOUNT(x) (std::popcount(static_cast<unsigned>(x)))
#define LEADING_ZEROS(x) (std::countl_zero(static_cast<unsigned>(x)))
#define ATOMIC_ADD(pointer, value) (::weir::compute::add_in_turn(pointer, value))
#define LESSER(a, b) (::weir::kernels::lesser(a, b))
#define GREATER(a, b) (::weir::kernels::greater(a, b))
#define LOAD_FOUR(to, from) (::weir::kernels::load_four(to, from))
#define UNROLL

namespace weir::kernels {
using index = std::int64_t;
using floats128 = compute::Floats128;

// Of two floats, NaN where either is.
inline float lesser(float a, float b) noexcept {
  return a < b ? a : (a >= b ? b : std::numeric_limits<float>::quiet_NaN());
}
inline float greater(float a, float b) noexcept {
  return a > b ? a : (a <= b ? b : std::numeric_limits<float>::quiet_NaN());
}

// Four values that lie on a multiple of four.
template <class T>
void load_four(T* to, const T* from) noexcept {
  for (int i = 0; i < 4; ++i) {
    to[i] = from[i];
  }
}

// What the other dialects have: loaded and stored at once where they lie at a multiple of their
// size.
struct alignas(16) float4 {
  float x, y, z, w;
};
struct alignas(8) short4 {
  short x, y, z, w;
};
}  // namespace weir::kernels
