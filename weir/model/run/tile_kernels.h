#pragma once

#include <cstdint>
#include <span>

#include "weir/model/compile/scalar_graph.h"

namespace weir::model {

/// Where an operand's numbers lie: one after the other, or one number for all events (step 0, eight
/// copies of it).
struct Numbers {
  const double* at = nullptr;
  std::int64_t step = 1;
};

/// y[i] = the operation on a[i], b[i], c[i], for `count` values, a multiple of kMathLanes. y may be
/// an operand.
using TileKernel = void (*)(Numbers a, Numbers b, Numbers c, double* y, std::int64_t count);

/// The kernel of an operation of the widest instruction set of this machine. Not for leaves, unary
/// and binary.
TileKernel tile_kernel(Code code);

/// sums[8 j + k] += w[i] v[j][i] for i = k, k + 8, k + 16, …: eight sums for each of the values, in
/// order. A weight of 0 leaves the row out, whatever v is. Several values at once wait less for
/// their sums.
void add_weighted(Numbers weights, std::span<const Numbers> values, std::int64_t count,
                  double* sums);

/// What a reduction demands of a value.
enum class Demand : std::uint8_t {
  nothing,
  finite,
  non_negative,
  positive
};  // all but the first: finite

/// Whether every value whose weight is not 0 meets the demand.
bool all_meet(Demand demand, Numbers weights, Numbers values, std::int64_t count);

}  // namespace weir::model
