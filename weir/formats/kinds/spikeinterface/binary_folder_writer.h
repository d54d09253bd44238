#pragma once

#include <memory>

#include "weir/formats/writer.h"

namespace weir::formats {

/// A writer of the folder that SpikeInterface's `load` opens (version 0.105): one file of samples
/// a segment, binary.json, si_folder.json, properties, and a probe where every channel has a
/// position. Errors: `unsupported` for rows that do not run along time.
std::unique_ptr<RecordingWriter> make_binary_folder_writer(const RecordingOutput& output);
/// See `Format::not_kept`.
std::vector<std::string> binary_folder_not_kept(const RecordingOutput& output);
std::size_t binary_folder_writer_bytes(const RecordingOutput& output);

}  // namespace weir::formats
