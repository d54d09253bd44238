#pragma once

#include <filesystem>
#include <memory>

#include "weir/core/recording.h"
#include "weir/formats/format.h"
#include "weir/formats/kinds/zarr/zarr_array.h"
#include "weir/formats/kinds/zarr/zarr_node.h"

namespace weir::formats {

/// Name and format of what is opened at `path`.
RecordingInfo start_zarr_info(const std::filesystem::path& path);
/// Warns of chunks nobody wrote, which hold the fill value: right for an array, odd for a
/// recording.
void note_missing_chunks(const ZarrArray& array, RecordingInfo& info);

/// Whether a group is a recording that SpikeInterface saved.
bool is_spikeinterface_store(const ZarrNode& node);
/// Errors: `corrupt_data` naming file and field, `unsupported`. What cannot be used of channels,
/// probe and times is told.
std::unique_ptr<RecordingSource> open_spikeinterface_store(const std::filesystem::path& path,
                                                           const ZarrNode& node);

/// An array [time], [time, channel] or [channel, time] that lies at `folder`, by itself or in a
/// group with attributes of its own. Axes go by `raw.order`, else by the names of the dimensions;
/// rate, gain, offset and unit by `raw`, else by the attributes `sample_rate_hz` (or
/// `sampling_frequency`), `gain`, `offset`, `unit`, `gain_uv`, `offset_uv`, `channel_names`.
/// Errors: `invalid_spec` without a rate; `corrupt_data`, `unsupported` naming the folder.
/// Source: survey of dspk, 3.2.
std::unique_ptr<RecordingSource> open_zarr_array(const std::filesystem::path& path,
                                                 const std::filesystem::path& folder,
                                                 const Value& group_attributes,
                                                 const OpenOptions& options);

}  // namespace weir::formats
