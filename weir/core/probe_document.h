#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "weir/core/channel.h"
#include "weir/core/value.h"

namespace weir {

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

/// A probeinterface document of one probe, a contact for each channel in their order: positions,
/// groups as shanks, names as contact ids (indices where names are not unique). Contacts without a
/// known shape are circles of 1 um, as a document must tell one; an annotation says so. A channel
/// without a position has no contact. Source: probeinterface's schema, version 0.4.
Value to_probe_document(const std::vector<Channel>& channels);

}  // namespace weir
