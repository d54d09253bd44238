#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace weir::signal {

/// Hands out the same numbers, in the same order, at every call; NaN never among them.
using Replay = std::function<void(const std::function<void(std::span<const double>)>& receive)>;

/// numpy.median of `count` > 0 replayed numbers, exactly, in at most 0.6 MiB whatever the count:
/// the mean of the two middle ones when even.
/// Cost: two to five replays. Source: radix selection on the ordered bits of a double.
double exact_median(const Replay& replay, std::int64_t count);

/// Mean and population standard deviation in two compensated passes.
/// Source: Neumaier 1974 (sums).
double standard_deviation(const Replay& replay, std::int64_t count);

}  // namespace weir::signal
