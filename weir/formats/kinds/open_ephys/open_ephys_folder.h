#pragma once

#include <filesystem>
#include <string>

namespace weir::formats {

/// One recording of a Record Node, and the stream a path named inside it.
struct OpenEphysPlace {
  std::filesystem::path recording;  ///< Holds structure.oebin; empty when there is none.
  std::string stream;               ///< Folder below `continuous`; empty when the path named none.
};

/// The recording that a path means: the session, a Record Node, an experiment, the recording
/// itself, its folder `continuous`, a stream in that, or the files structure.oebin and
/// continuous.dat. Errors: `invalid_spec` listing them when there are several.
OpenEphysPlace find_open_ephys(const std::filesystem::path& path);

}  // namespace weir::formats
