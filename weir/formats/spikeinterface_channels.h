#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "weir/core/recording.h"
#include "weir/core/value.h"

namespace weir::formats {

/// What SpikeInterface stores beside samples, one entry a channel, in its binary folders and its
/// Zarr stores alike.
struct SpikeinterfaceProperties {
  std::optional<std::vector<double>> gains;    ///< gain_to_uV
  std::optional<std::vector<double>> offsets;  ///< offset_to_uV
  std::optional<std::vector<std::string>> groups;
};

/// Positions and groups from its probegroup, gains and offsets from its properties. A probe that
/// does not fit is told in `info.warnings` with `probe_name`, and not used.
void describe_channels(const SpikeinterfaceProperties& properties, const Value* probe,
                       const std::string& probe_name, RecordingInfo& info);

/// Finite numbers. Errors: `corrupt_data` for others, `unsupported` for their type.
std::vector<double> property_numbers(StoredType type, std::span<const std::byte> values);
/// "0" for 0, as channel groups are called.
std::vector<std::string> number_texts(const std::vector<double>& numbers);

}  // namespace weir::formats
