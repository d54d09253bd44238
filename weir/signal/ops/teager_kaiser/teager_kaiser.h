#pragma once

#include "weir/op/operator.h"

namespace weir::signal {

/// The Teager-Kaiser energy x[t]^2 - x[t-1] x[t+1] of physical values. It has no fields.
/// Source: Kaiser 1990, "On a simple algorithm to calculate the 'energy' of a signal".
struct TeagerKaiser {};

const op::Operator& teager_kaiser_operator();

}  // namespace weir::signal
