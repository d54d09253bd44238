#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "weir/core/channel.h"

namespace weir::formats {

/// Gives electrodes of a Neuropixels stream their positions, shanks and numbers on the probe, from
/// the text of settings.xml; true when it did. Where the file does not tell them beyond doubt
/// (several probes whose streams have other names, a channel map in between, versions that wrote
/// wrong places) it adds a warning and changes nothing.
/// Errors: none; settings that are no XML have no probes.
bool place_open_ephys_electrodes(std::string_view settings, std::string_view stream_name,
                                 std::vector<Channel>& channels, std::string& probe,
                                 std::vector<std::string>& warnings);

}  // namespace weir::formats
