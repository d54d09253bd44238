#pragma once

#include <cstdint>

#include "weir/op/operator.h"

namespace weir::signal {

/// What stands before the first frame of a segment.
enum class DiffStart {
  hold,  ///< The first sample, so that the first difference is 0.
  zero   ///< 0 physical units, so that the first difference is the first sample.
};

inline constexpr std::int64_t kMostDiffs = 8;

/// n-th difference over time, as long as its input: numpy.diff with n samples prepended.
struct Diff {
  std::int64_t n = 1;
  DiffStart start = DiffStart::hold;
};

const op::Operator& diff_operator();

}  // namespace weir::signal
