#pragma once

#include <string>
#include <string_view>

#include "weir/op/operator.h"

namespace weir::signal {

/// Squares physical values; there is nothing to choose.
struct Square {};

/// "uV" becomes "uV^2", "uV^2" becomes "uV^4", "m/s" becomes "(m/s)^2"; no unit stays none.
std::string squared_unit(std::string_view unit);

/// What squared counts of the channel mean: the gain squared, no offset, the unit squared.
/// Errors: `invalid_spec` when the gain squared leaves the range of doubles.
Channel squared(Channel channel);

const op::Operator& square_operator();

}  // namespace weir::signal
