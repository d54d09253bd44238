#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "weir/core/recording.h"
#include "weir/formats/dense_source.h"
#include "weir/formats/input_file.h"
#include "weir/formats/kinds/npy/zip_directory.h"

namespace weir::formats {

/// The first bytes of a deflated member, at most `bytes` of them.
/// Errors: `corrupt_data` naming archive and member.
std::vector<std::byte> unpack_start(const InputFile& archive, const ZipMember& member,
                                    std::int64_t bytes);

/// A recording in a deflated member, where `layout` says how its samples lie once unpacked and
/// `info.segments` how many there are. It is unpacked whole to a temporary file without a name at
/// the first read, since nothing in a deflated stream can be found without all in front of it.
/// Errors (of reads): `corrupt_data` naming archive and member, also for a wrong checksum; `io`
/// when the folder for temporary files is full.
std::unique_ptr<RecordingSource> make_deflated_source(InputFile archive, ZipMember member,
                                                      const DenseLayout& layout,
                                                      RecordingInfo info);

}  // namespace weir::formats
