#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "weir/core/channel.h"
#include "weir/core/sample_rate.h"
#include "weir/core/value.h"

namespace weir::formats {

/// One entry of `continuous`.
struct OpenEphysStream {
  std::string folder;     ///< "Neuropix-PXI-100.ProbeA"
  std::string name;       ///< "ProbeA"; empty before version 0.6.
  std::string processor;  ///< "Neuropix-PXI"
  SampleRate rate;
  std::vector<Channel> channels;
  std::vector<std::string> warnings;
};

/// What structure.oebin says.
struct OpenEphysStructure {
  std::string version;  ///< Of the GUI; empty when not told.
  std::vector<OpenEphysStream> streams;
};

/// Errors: `corrupt_data` "continuous 0: field: what is wrong"; a folder that leads out of the
/// recording's own is refused.
OpenEphysStructure read_open_ephys_structure(const Value& document);

/// One entry of `events`.
struct OpenEphysEvents {
  std::string folder;  ///< "Neuropix-PXI-100.ProbeA/TTL"
  std::string stream;  ///< Whose samples they count; empty before version 0.6.
  double rate_hz = 0;  ///< 0 when not told.
};

/// Errors: `corrupt_data` "events 0: field: what is wrong"; folders as above.
std::vector<OpenEphysEvents> read_open_ephys_events(const Value& document);

}  // namespace weir::formats
