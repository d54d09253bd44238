#pragma once

#include <optional>

#include "weir/core/rational.h"

namespace weir::formats {

/// The ratio with the smallest denominator in [low, high]: what a number was before it was rounded
/// into that interval, when it was a simple one. Nothing when the interval is empty, no number, or
/// its ratio needs more than 62 bits.
/// Source: descent in the tree of Stern and Brocot by continued fractions (Graham, Knuth and
/// Patashnik, Concrete Mathematics, section 4.5).
std::optional<Rational> simplest_ratio(long double low, long double high);

}  // namespace weir::formats
