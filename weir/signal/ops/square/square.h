#pragma once

#include "weir/op/operator.h"

namespace weir::signal {

/// Squares physical values; there is nothing to choose.
struct Square {};

/// What squared counts of the channel mean: the gain squared, no offset, the unit squared.
/// Errors: `invalid_spec` when the gain squared leaves the range of doubles.
Channel squared(Channel channel);

const op::Operator& square_operator();

}  // namespace weir::signal
