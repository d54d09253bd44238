#include "weir/formats/kinds/brainvision/brainvision.h"

#include <fmt/format.h>

#include <algorithm>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/dense_source.h"
#include "weir/formats/frame_time.h"
#include "weir/formats/kinds/brainvision/brainvision_events.h"
#include "weir/formats/kinds/brainvision/brainvision_header.h"
#include "weir/formats/recording_document.h"
#include "weir/formats/stored_samples.h"

namespace weir::formats {
namespace {
namespace fs = std::filesystem;
constexpr std::int64_t kMostTextBytes = std::int64_t{64} << 20;

fs::path header_beside(fs::path path) {
  return ends_with_ignoring_case(path.string(), ".vhdr") ? path : path.replace_extension(".vhdr");
}

bool is_header(const fs::path& path) {
  std::error_code failure;
  if (!fs::is_regular_file(path, failure)) {
    return false;
  }
  try {
    const std::string text = read_text_file(path.string(), kMostTextBytes);
    const std::string line = text.substr(0, text.find('\n'));
    return line.find("Vision") != std::string::npos && line.find("Header") != std::string::npos;
  } catch (const Error&) {
    return false;
  }
}

Match probe(const fs::path& path, std::span<const std::byte>) {
  const std::string name = path.string();
  const bool named = ends_with_ignoring_case(name, ".vhdr") ||
                     ends_with_ignoring_case(name, ".vmrk") ||
                     ends_with_ignoring_case(name, ".eeg") || ends_with_ignoring_case(name, ".dat");
  return named && is_header(header_beside(path)) ? Match::certain : Match::no;
}

/// The file the header names, or, where files were renamed together, the one named as it is.
InputFile open_samples(const fs::path& header, const std::string& name,
                       std::vector<std::string>& warnings) {
  const fs::path named = header.parent_path() / name;
  if (!name.empty() && stands_at(named)) {
    return InputFile(named);
  }
  for (const char* ending : {".eeg", ".dat"}) {
    const fs::path beside = fs::path(header).replace_extension(ending);
    if (stands_at(beside)) {
      warnings.push_back(fmt::format("{}: its file {} is missing; {} is read", header.string(),
                                     printable(name), beside.string()));
      return InputFile(beside);
    }
  }
  return InputFile(named);
}

std::vector<BrainvisionSegment> list_segments(const fs::path& header, const std::string& name,
                                              std::vector<std::string>& warnings) {
  if (name.empty()) {
    return {};
  }
  const fs::path path = brainvision_marker_file(header, name);
  if (path.empty()) {
    warnings.push_back(fmt::format("{}: its markers {} are missing: breaks in time cannot be seen",
                                   header.string(), printable(name)));
    return {};
  }
  const std::string text = read_text_file(path.string(), kMostTextBytes);
  return in_context(path.string(), [&] { return read_brainvision_segments(text); });
}

/// Segments from the markers: each starts as much later than the first as its date says.
void cut_at(const std::vector<BrainvisionSegment>& markers, std::int64_t frames,
            RecordingInfo& info) {
  std::int64_t undated = 0;
  std::int64_t outside = 0;
  const auto* first = markers.empty() || markers.front().first > 0 ? nullptr : &markers.front();
  info.start_time = first != nullptr ? first->start_time : "";
  info.segments = {Segment{.frames = frames, .start_s = {}}};
  for (const auto& marker : markers) {
    Segment& last = info.segments.back();
    const std::int64_t begun = frames - last.frames;
    outside += marker.first >= frames && marker.first > 0 ? 1 : 0;
    if (marker.first <= begun || marker.first >= frames) {
      continue;
    }
    Segment next{.frames = frames - marker.first,
                 .start_s = frame_time(marker.first, info.rate),
                 .first_frame = 0,
                 .index = std::ssize(info.segments)};
    if (first != nullptr && first->microseconds && marker.microseconds) {
      next.start_s = Rational(*marker.microseconds - *first->microseconds, 1'000'000);
    } else {
      ++undated;
    }
    last.frames = marker.first - begun;
    info.segments.push_back(next);
  }
  if (undated > 0) {
    info.warnings.push_back(
        fmt::format("{}: {} segments have no date; they are taken to follow at "
                    "once",
                    info.name, grouped(undated)));
  }
  if (outside > 0) {
    info.warnings.push_back(fmt::format("{}: {} segments start behind the last of {} frames",
                                        info.name, grouped(outside), grouped(frames)));
  }
}

std::unique_ptr<RecordingSource> open(const fs::path& path, const OpenOptions&) {
  const fs::path where = header_beside(path);
  const std::string text = read_text_file(where.string(), kMostTextBytes);
  RecordingInfo info;
  info.name = path.filename().string();
  info.format = "brainvision";
  auto header = reading_document(
      where.string(), [&] { return read_brainvision_header(text, where.stem().string()); });
  info.rate = header.rate;
  info.channels = std::move(header.channels);
  info.stored = header.stored;
  info.order = header.order;
  InputFile file = open_samples(where, header.data_file, info.warnings);
  const std::int64_t row = stored_bytes(info.stored) * info.channel_count();
  const std::int64_t frames = file.size() / row;
  if (file.size() % row != 0 || header.frames.value_or(frames) != frames) {
    info.warnings.push_back(fmt::format(
        "{}: holds {} bytes, {} frames of {} B{}", file.path().string(), grouped(file.size()),
        grouped(frames), row,
        header.frames ? fmt::format(", where DataPoints says {}", grouped(*header.frames)) : ""));
  }
  const auto markers = list_segments(where, header.marker_file, info.warnings);
  reading_document(where.string(), [&] { cut_at(markers, frames, info); });
  return make_dense_source(std::move(file), {.end_byte = frames * row}, std::move(info));
}
}  // namespace

const Format& brainvision_format() {
  static const Format kFormat{
      .name = "brainvision",
      .summary = "BrainVision recordings (.vhdr with .eeg and .vmrk), both orientations (read)",
      .extensions = {".vhdr"},
      .probe = &probe,
      .open = &open,
      .create = nullptr,
      .create_events = nullptr,
      .writer_bytes = nullptr,
      .list_events = &list_brainvision_events,
      .open_events = &open_brainvision_events,
  };
  return kFormat;
}

}  // namespace weir::formats
