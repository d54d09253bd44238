#include "weir/formats/kinds/zarr/zarr.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/dense_source.h"
#include "weir/formats/kinds/zarr/zarr_array.h"
#include "weir/formats/kinds/zarr/zarr_event_source.h"
#include "weir/formats/kinds/zarr/zarr_event_writer.h"
#include "weir/formats/kinds/zarr/zarr_layout.h"
#include "weir/formats/kinds/zarr/zarr_recording_writer.h"
#include "weir/formats/kinds/zarr/zarr_source.h"
#include "weir/formats/raw_options.h"
#include "weir/formats/recording_document.h"

namespace weir::formats {
namespace {
namespace fs = std::filesystem;
constexpr std::string_view kVersionKey = "weir_recording";

Match probe(const fs::path& path, std::span<const std::byte>) {
  std::error_code failure;
  if (!fs::is_directory(path, failure)) {
    return Match::no;
  }
  for (const char* name : {"zarr.json", ".zgroup", ".zarray"}) {
    if (fs::is_regular_file(path / name, failure)) {
      return Match::certain;
    }
  }
  return ends_with_ignoring_case(path.string(), ".zarr") ? Match::by_name : Match::no;
}

RecordingInfo start_info(const fs::path& path) {
  const fs::path plain = path.has_filename() ? path : path.parent_path();  // "rec.zarr/"
  RecordingInfo info;
  info.name = plain.filename().string();
  info.format = "zarr";
  return info;
}

/// Chunks nobody wrote hold the fill value: right for an array, odd for a recording.
void note_missing(const ZarrArray& array, RecordingInfo& info) {
  const std::int64_t missing = array.missing_files();
  if (missing > 0) {
    const auto& fill = array.metadata().fill;
    info.warnings.push_back(fmt::format(
        "{}: {} of {} chunk files are missing; their samples are read as {}",
        array.folder().string(), grouped(missing), grouped(array.files()),
        fill ? fmt::format("the fill value {}", *fill) : "0, as no fill value is defined"));
  }
}

void check_segment(const ZarrArray& array, const RecordingInfo& info, std::int64_t frames) {
  const auto& metadata = array.metadata();
  const std::vector<std::int64_t> expected{frames, info.channel_count()};
  if (metadata.shape != expected || metadata.type != info.stored) {
    throw Error(
        ErrorCode::corrupt_data,
        fmt::format("{}: holds {} of shape ({}), but the recording describes {} of ({})",
                    array.folder().string(), name(metadata.type), fmt::join(metadata.shape, ", "),
                    name(info.stored), fmt::join(expected, ", ")));
  }
}

std::unique_ptr<RecordingSource> open_recording(const fs::path& path, const Value& attributes) {
  const std::string file = (path / "zarr.json").string();
  RecordingDocument document = from_document(attributes, kVersionKey, file);
  reading_document(file, [&] {
    in_context("channels", [&] { return checked_channels(std::ssize(document.channels)); });
  });
  RecordingInfo info = start_info(path);
  info.rate = document.rate;
  info.axis = document.axis;
  info.channels = std::move(document.channels);
  info.segments = std::move(document.segments);
  info.stored = document.stored;
  info.start_time = std::move(document.start_time);
  std::vector<ZarrArray> arrays;
  for (const auto& segment : info.segments) {
    arrays.emplace_back(path / segment_name(segment.index));
    check_segment(arrays.back(), info, segment.frames);
    note_missing(arrays.back(), info);
  }
  return make_zarr_source(std::move(arrays), std::move(info));
}

void require_time_first(const ZarrArrayMetadata& metadata, const RawOptions& raw) {
  constexpr std::array<std::string_view, 5> kTimes{"time", "t", "samples", "sample", "frames"};
  const auto& names = metadata.dimension_names;
  const bool second_is_time =
      names.size() == 2 && std::find(kTimes.begin(), kTimes.end(), names[1]) != kTimes.end();
  if (metadata.shape.size() != 2 || second_is_time || raw.order == SampleOrder::channel_major) {
    throw Error(ErrorCode::unsupported,
                fmt::format("shape ({}), dimensions ({}): only [time, channel] arrays are read",
                            fmt::join(metadata.shape, ", "), fmt::join(names, ", ")));
  }
}

/// An array that is no part of a recording of ours: rate and gain come from the user, or the rate
/// from the attribute `sample_rate_hz`.
std::unique_ptr<RecordingSource> open_array(const fs::path& path, const OpenOptions& options) {
  ZarrArray array(path);
  RecordingInfo info = start_info(path);
  in_context(path.string(), [&] {
    auto raw = RawOptions::from(options.raw);
    require_time_first(array.metadata(), raw);
    const Value* rate = array.metadata().attributes.find("sample_rate_hz");
    if (!raw.rate_hz && rate != nullptr && rate->is_number()) {
      raw.rate_hz = rate->as_number();
    }
    info.rate = raw.rate();
    const std::int64_t channels =
        in_context("shape: channels", [&] { return checked_channels(array.metadata().shape[1]); });
    info.channels = raw.channel_list(channels);
    info.stored = array.metadata().type;
    info.segments = {Segment{.frames = array.metadata().shape[0], .start_s = {}}};
  });
  note_missing(array, info);
  std::vector<ZarrArray> arrays;
  arrays.push_back(std::move(array));
  return make_zarr_source(std::move(arrays), std::move(info));
}

std::unique_ptr<RecordingSource> open(const fs::path& path, const OpenOptions& options) {
  const Value document = read_zarr_document(path);
  const Value* type = document.find("node_type");
  if (type != nullptr && *type == Value("array")) {
    return open_array(path, options);
  }
  const Value* attributes = document.find("attributes");
  if (attributes == nullptr || attributes->find(kVersionKey) == nullptr) {
    const bool events = attributes != nullptr && attributes->find("weir_events") != nullptr;
    throw Error(ErrorCode::unsupported,
                fmt::format("{}: {}", path.string(),
                            events ? "holds an event table, no recording"
                                   : "a Zarr group without weir_recording; give the path of an "
                                     "array in it"));
  }
  return open_recording(path, *attributes);
}
}  // namespace

const Format& zarr_format() {
  static const Format kFormat{
      .name = "zarr",
      .summary = "Zarr version 3: recordings with shards, and event groups",
      .extensions = {".zarr"},
      .probe = &probe,
      .open = &open,
      .create = &make_zarr_writer,
      .create_events = &make_zarr_event_writer,
      .writer_bytes = &zarr_writer_bytes,
      .list_events = &list_zarr_events,
      .open_events = &open_zarr_events,
  };
  return kFormat;
}

}  // namespace weir::formats
