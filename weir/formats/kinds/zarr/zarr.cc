#include "weir/formats/kinds/zarr/zarr.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/dense_source.h"
#include "weir/formats/kinds/zarr/zarr_array.h"
#include "weir/formats/kinds/zarr/zarr_event_source.h"
#include "weir/formats/kinds/zarr/zarr_event_writer.h"
#include "weir/formats/kinds/zarr/zarr_layout.h"
#include "weir/formats/kinds/zarr/zarr_node.h"
#include "weir/formats/kinds/zarr/zarr_recording_writer.h"
#include "weir/formats/kinds/zarr/zarr_recordings.h"
#include "weir/formats/kinds/zarr/zarr_source.h"
#include "weir/formats/kinds/zarr/zarr_table.h"
#include "weir/formats/recording_document.h"

namespace weir::formats {
namespace {
namespace fs = std::filesystem;
constexpr std::string_view kVersionKey = "weir_recording";
constexpr std::size_t kArraysShown = 20;

Match probe(const fs::path& path, std::span<const std::byte>) {
  std::error_code failure;
  if (!fs::is_directory(path, failure)) {
    return Match::no;
  }
  if (is_zarr_node(path)) {
    return Match::certain;
  }
  return ends_with_ignoring_case(path.string(), ".zarr") ? Match::by_name : Match::no;
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

std::unique_ptr<RecordingSource> open_recording(const fs::path& path, const ZarrNode& node) {
  const std::string file = node.file.string();
  RecordingDocument document = from_document(node.attributes, kVersionKey, file);
  reading_document(file, [&] {
    in_context("channels", [&] { return checked_channels(std::ssize(document.channels)); });
  });
  RecordingInfo info = start_zarr_info(path);
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
    note_missing_chunks(arrays.back(), info);
  }
  return make_zarr_source(std::move(arrays), std::move(info));
}

/// A group of no layout known: what a user can name in it.
[[noreturn]] void refuse_group(const fs::path& path, const Value& attributes) {
  if (attributes.find("weir_events") != nullptr || attributes.find("dspk_events") != nullptr) {
    throw Error(ErrorCode::unsupported,
                fmt::format("{}: holds an event table, no recording", path.string()));
  }
  const auto arrays = list_zarr_arrays(path, kArraysShown + 1);
  const auto shown = std::min(arrays.size(), kArraysShown);
  throw Error(
      ErrorCode::unsupported,
      fmt::format(
          "{}: a Zarr group without weir_recording or another layout that is known; {}",
          path.string(),
          arrays.empty()
              ? std::string("it holds no array")
              : fmt::format("give the path of an array in it, or name it as stream: {}{}",
                            fmt::join(arrays.begin(),
                                      arrays.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                            arrays.size() > shown ? ", …" : "")));
}

std::unique_ptr<RecordingSource> open(const fs::path& path, const OpenOptions& options) {
  const ZarrNode node = read_zarr_node(path);
  if (node.array) {
    return open_zarr_array(path, path, Value::object(), options);
  }
  if (!options.stream.empty()) {
    const fs::path inside = path_inside(path, options.stream);
    if (!is_zarr_node(inside)) {
      throw Error(ErrorCode::not_found,
                  fmt::format("{}: stream: no array \"{}\"; it holds {}", path.string(),
                              printable(options.stream),
                              fmt::join(list_zarr_arrays(path, kArraysShown), ", ")));
    }
    return open_zarr_array(path, inside, node.attributes, options);
  }
  if (node.attributes.find(kVersionKey) != nullptr) {
    return open_recording(path, node);
  }
  if (is_spikeinterface_store(node)) {
    return open_spikeinterface_store(path, node);
  }
  const bool has_rate = node.attributes.find("sample_rate_hz") != nullptr ||
                        node.attributes.find("sampling_frequency") != nullptr;
  if (has_rate && is_zarr_node(path / "traces")) {
    return open_zarr_array(path, path / "traces", node.attributes, options);
  }
  refuse_group(path, node.attributes);
}
}  // namespace

RecordingInfo start_zarr_info(const fs::path& path) {
  const fs::path plain = path.has_filename() ? path : path.parent_path();  // "rec.zarr/"
  RecordingInfo info;
  info.name = plain.filename().string();
  info.format = "zarr";
  return info;
}

void note_missing_chunks(const ZarrArray& array, RecordingInfo& info) {
  const std::int64_t missing = array.missing_files();
  if (missing > 0) {
    const auto& fill = array.metadata().fill;
    info.warnings.push_back(fmt::format(
        "{}: {} of {} chunk files are missing; their samples are read as {}",
        array.folder().string(), grouped(missing), grouped(array.files()),
        fill ? fmt::format("the fill value {}", *fill) : "0, as no fill value is defined"));
  }
}

const Format& zarr_format() {
  static const Format kFormat{
      .name = "zarr",
      .summary = "Zarr stores, versions 2 and 3 (read) and 3 (written): recordings, arrays, events",
      .extensions = {".zarr"},
      .probe = &probe,
      .open = &open,
      .create = &make_zarr_writer,
      .create_events = &make_zarr_event_writer,
      .writer_bytes = &zarr_writer_bytes,
      .list_events = &list_zarr_events,
      .open_events = &open_zarr_events,
      .list_tables = &list_zarr_tables,
      .open_table = &open_zarr_table,
  };
  return kFormat;
}

}  // namespace weir::formats
