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

}  // namespace weir::formats
