#pragma once

#include <cstdint>

#include "weir/op/operator.h"

namespace weir::signal {

enum class LogBase {
  natural,  ///< ln |x|
  ten,      ///< log10 |x|
  decibel   ///< 20 log10 |x|
};

/// The logarithm of the magnitude of physical values, in their unit.
struct Log {
  LogBase base = LogBase::natural;
  double floor = 0;  ///< Smaller magnitudes count as this one. Units: each channel's own.
};

/// The channel of the logarithms: plain values in "ln(uV)", "log10(uV)" or "dB(uV)".
Channel logarithmic(LogBase base, Channel channel);

const op::Operator& log_operator();

}  // namespace weir::signal
