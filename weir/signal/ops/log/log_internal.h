#pragma once

#include <vector>

#include "weir/core/block.h"
#include "weir/signal/ops/log/log.h"

namespace weir::signal {

/// log.cl has the same numbers.
struct LogConstants {
  static constexpr std::int32_t kSqrtHalf = 0x3f3504f3;  ///< The bits of sqrt(1/2).
  static constexpr float kLn2High = 0.693145751953125F;  ///< ln 2 to 16 bits: times a whole exact.
  static constexpr float kLn2Low = 1.428606820309417e-6F;
  static constexpr float kThird = 0.333333333F;
  static constexpr float kFifth = 0.2F;
  static constexpr float kSeventh = 0.142857143F;
  static constexpr float kNinth = 0.111111111F;
};

/// What a count becomes: ln(max(|x * gain|, floor)) * factor. Shape: `gain` is padded.
struct LogMap {
  std::vector<float> gain;  ///< Magnitudes.
  float floor = 1;
  float factor = 1;
};

void log_rows(const LogMap& map, Block<const float> in, Block<float> out);

}  // namespace weir::signal
