#pragma once

#include <filesystem>
#include <memory>
#include <string_view>

#include "weir/core/recording.h"
#include "weir/core/value.h"
#include "weir/formats/input_file.h"

namespace weir::formats {

/// The key every sidecar `rec.meta` beside `rec.bin` has.
inline constexpr std::string_view kForeignKey = "sample_rate_hz";

/// `rec.meta` for `rec.bin`.
std::filesystem::path foreign_sidecar_path(const std::filesystem::path& path);

/// A raw file with a JSON sidecar of the same stem: channels, sample_rate_hz, format (float32),
/// order (channel_major), gain, offset, unit (or gain_uv, offset_uv), header_bytes, samples.
/// Errors: `corrupt_data` naming sidecar and field. More samples declared than there are is a
/// truncated file, as anywhere.
/// Source: survey of dspk, 3.1.
std::unique_ptr<RecordingSource> open_foreign(InputFile file, const Value& document,
                                              RecordingInfo info);

}  // namespace weir::formats
