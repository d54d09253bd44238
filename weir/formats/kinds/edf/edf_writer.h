#pragma once

#include <filesystem>
#include <memory>

#include "weir/formats/kinds/edf/edf_header.h"
#include "weir/formats/record_source.h"
#include "weir/formats/writer.h"

namespace weir::formats {

/// A writer of EDF+ or, where the path ends in ".bdf", BDF+: counts as they are, one annotation a
/// record that tells when it began. A record that a segment ends in is filled up with the count
/// nearest to 0 physical, and an annotation says where that begins. The sidecar `<path>.json` has
/// what the header cannot hold. Errors: as `plan_edf`.
std::unique_ptr<RecordingWriter> make_edf_writer(const RecordingOutput& output);
/// Errors: as `plan_edf`, so that planning tells.
std::size_t edf_writer_bytes(const RecordingOutput& output);

/// Replaces what the header says of `info` and `layout` by what the sidecar of `path` does; nothing
/// when there is none. `records` are in the file; `damage` are the warnings that stay.
/// Errors: `corrupt_data` when it describes another file.
void describe_by_sidecar(const std::filesystem::path& path, const EdfHeader& header,
                         std::int64_t records, const std::vector<std::string>& damage,
                         RecordingInfo& info, RecordLayout& layout);

}  // namespace weir::formats
