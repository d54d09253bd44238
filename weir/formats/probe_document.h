#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "weir/core/value.h"

namespace weir::formats {

/// One electrode that is wired to a channel.
struct ProbeContact {
  std::array<double, 3> position{};  ///< Micrometres.
  std::string shank;                 ///< Empty when the document tells none.
  std::size_t probe = 0;             ///< Which probe of the document.
};

/// The wired contacts of a probeinterface document, by channel: `device_channel_indices` says which
/// contact a channel has; without it contact k is channel k.
/// Errors: `corrupt_data` naming the field; a channel wired twice is refused.
/// Source: probeinterface's schema.
std::map<std::int64_t, ProbeContact> read_probe_document(const Value& document);

}  // namespace weir::formats
