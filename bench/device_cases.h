#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weir/core/block.h"
#include "weir/core/value.h"

namespace weir::bench {

inline constexpr std::int64_t kChannels = 384;

/// One operator with the parameters it is timed with.
struct Case {
  std::string name;
  std::string op;
  Value params;
  SampleType type = SampleType::float32;
};

/// What weir_device_bench times, in the order of its lines.
std::vector<Case> device_cases();

}  // namespace weir::bench
