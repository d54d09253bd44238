#include "weir/formats/kinds/spikeinterface/spikeinterface.h"

#include <fmt/format.h>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/dense_source.h"
#include "weir/formats/json.h"
#include "weir/formats/kinds/spikeinterface/binary_folder.h"
#include "weir/formats/kinds/spikeinterface/binary_folder_writer.h"
#include "weir/formats/recording_document.h"
#include "weir/formats/segment_sources.h"

namespace weir::formats {
namespace {
namespace fs = std::filesystem;
constexpr std::int64_t kMostJsonBytes = std::int64_t{16} << 20;

/// The folder, for itself and for its binary.json.
fs::path folder_of(const fs::path& path) {
  std::error_code failure;
  return fs::is_directory(path, failure) ? path : path.parent_path();
}

Match probe(const fs::path& path, std::span<const std::byte>) {
  std::error_code failure;
  const fs::path json = folder_of(path) / "binary.json";
  const bool meant = fs::is_directory(path, failure) || path.filename() == "binary.json";
  if (!meant || !fs::is_regular_file(json, failure)) {
    return Match::no;
  }
  try {
    const Value document = parse_json(read_text_file(json.string(), kMostJsonBytes));
    return is_binary_folder(document) ? Match::certain : Match::no;
  } catch (const Error&) {
    return Match::no;
  }
}

void warn_of_times(const fs::path& folder, RecordingInfo& info) {
  for (const auto& segment : info.segments) {
    for (const char* ending : {"npy", "raw"}) {
      const fs::path times = folder / fmt::format("times_cached_seg{}.{}", segment.index, ending);
      if (stands_at(times)) {
        info.warnings.push_back(fmt::format(
            "{}: times of single samples are not read; time goes by the rate", times.string()));
      }
    }
  }
}

/// What SpikeInterface keeps of a recording as a whole; of a start time it knows nothing itself.
void read_annotations(const fs::path& folder, RecordingInfo& info) {
  const fs::path json = folder / "annotations.json";
  if (!stands_at(json)) {
    return;
  }
  const std::string text = read_text_file(json.string(), kMostJsonBytes);
  reading_document(json.string(), [&] {
    const Value notes = parse_json(text);
    if (const Value* start = notes.find("start_time"); start != nullptr && start->is_string()) {
      info.start_time = start->as_string();
    }
  });
}

std::unique_ptr<RecordingSource> open(const fs::path& path, const OpenOptions&) {
  const fs::path folder = folder_of(path);
  const fs::path json = folder / "binary.json";
  const std::string text = read_text_file(json.string(), kMostJsonBytes);
  BinaryFolder described =
      reading_document(json.string(), [&] { return read_binary_folder(parse_json(text)); });
  RecordingInfo info = std::move(described.info);
  info.name = (path.has_filename() ? path : path.parent_path()).filename().string();
  info.format = "spikeinterface";
  describe_channels(folder, info);
  read_annotations(folder, info);
  warn_of_times(folder, info);
  std::vector<std::unique_ptr<RecordingSource>> sources;
  for (std::size_t i = 0; i < described.files.size(); ++i) {
    InputFile file(folder / described.files[i]);
    RecordingInfo part = info;
    part.segments.clear();
    part.warnings.clear();
    const DenseLayout layout{.first_byte = described.first_byte,
                             .end_byte = file.size(),
                             .big_endian = described.big_endian};
    sources.push_back(make_dense_source(std::move(file), layout, std::move(part)));
    const RecordingInfo& read = sources.back()->info();
    info.segments[i].frames = read.segments.at(0).frames;
    info.warnings.insert(info.warnings.end(), read.warnings.begin(), read.warnings.end());
  }
  return make_segment_sources(std::move(sources), std::move(info));
}
}  // namespace

const Format& spikeinterface_format() {
  static const Format kFormat{
      .name = "spikeinterface",
      .summary = "Folders as SpikeInterface saves them (binary.json), with probe",
      .extensions = {},
      .probe = &probe,
      .open = &open,
      .create = &make_binary_folder_writer,
      .create_events = nullptr,
      .not_kept = &binary_folder_not_kept,
      .writer_bytes = &binary_folder_writer_bytes,
  };
  return kFormat;
}

}  // namespace weir::formats
