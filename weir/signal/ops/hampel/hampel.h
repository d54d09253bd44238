#pragma once

#include <cstdint>

#include "weir/op/operator.h"

namespace weir::signal {

/// Replaces outliers by the running median: x where |x - median| <= n_sigma * MAD / 0.67449.
/// Source: Hampel 1974; Pearson 2002, "Outliers in process modeling and identification".
struct Hampel {
  std::int64_t width = 7;
  double n_sigma = 3;
};

inline constexpr std::int64_t kWidestHampel = 1001;

const op::Operator& hampel_operator();

}  // namespace weir::signal
