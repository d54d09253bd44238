#include "weir/formats/kinds/brainvision/brainvision_events.h"

#include <fmt/format.h>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/input_file.h"
#include "weir/formats/kinds/brainvision/brainvision.h"
#include "weir/formats/kinds/brainvision/brainvision_header.h"
#include "weir/formats/kinds/brainvision/brainvision_markers.h"
#include "weir/formats/label_events.h"
#include "weir/formats/recording_document.h"

namespace weir::formats {
namespace {
namespace fs = std::filesystem;
constexpr std::int64_t kMostTextBytes = std::int64_t{64} << 20;

/// The frame of a segment that a sample is, counted over all segments.
ClockPlace place_of(const std::vector<Segment>& segments, std::int64_t sample) {
  std::int64_t begun = 0;
  std::size_t i = 0;
  for (; i + 1 < segments.size() && sample - begun >= segments[i].frames; ++i) {
    begun += segments[i].frames;
  }
  return {static_cast<std::uint32_t>(i), sample - begun};
}

/// Nothing when there are no markers.
std::unique_ptr<EventSource> read_markers(const fs::path& path) {
  const fs::path where = ends_with_ignoring_case(path.string(), ".vhdr")
                             ? path
                             : fs::path(path).replace_extension(".vhdr");
  const std::string text = read_text_file(where.string(), kMostTextBytes);
  const auto header = reading_document(
      where.string(), [&] { return read_brainvision_header(text, where.stem().string()); });
  const fs::path file = brainvision_marker_file(where, header.marker_file);
  if (file.empty()) {
    return nullptr;
  }
  const auto recording = brainvision_format().open(path, {});
  EventStreamInfo info;
  info.name = "markers";
  info.format = "brainvision";
  info.kind = EventKind::annotations;
  info.table.stream.rate = recording->info().rate;
  info.table.stream.segments = recording->info().segments;
  LabelEvents labels(std::move(info));
  const auto found = read_brainvision_markers(read_text_file(file.string(), kMostTextBytes));
  std::int64_t of_channels = 0;
  in_context(file.string(), [&] {
    for (const auto& marker : found.markers) {
      labels.add_at(marker.label, place_of(recording->info().segments, marker.sample),
                    marker.frames);
      of_channels += marker.channel > 0 ? 1 : 0;
    }
  });
  auto& warnings = labels.info().warnings;
  if (found.unreadable > 0) {
    warnings.push_back(fmt::format("{}: {} markers cannot be read, the first is {}", file.string(),
                                   grouped(found.unreadable), printable(found.first_unreadable)));
  }
  if (of_channels > 0) {
    warnings.push_back(fmt::format("{}: {} markers belong to single channels, which is not kept",
                                   file.string(), grouped(of_channels)));
  }
  return labels.take(file.string());
}
}  // namespace

fs::path brainvision_marker_file(const fs::path& header, const std::string& name) {
  if (name.empty()) {
    return {};
  }
  const fs::path named = header.parent_path() / name;
  const fs::path beside = fs::path(header).replace_extension(".vmrk");
  return stands_at(named) ? named : stands_at(beside) ? beside : fs::path();
}

std::vector<EventStreamInfo> list_brainvision_events(const fs::path& path, const OpenOptions&) {
  const auto source = read_markers(path);
  return source ? std::vector<EventStreamInfo>{source->info()} : std::vector<EventStreamInfo>();
}

std::unique_ptr<EventSource> open_brainvision_events(const fs::path& path,
                                                     const OpenOptions& options) {
  auto source = read_markers(path);
  std::vector<EventStreamInfo> streams;
  if (source) {
    streams.push_back(source->info());
  }
  choose_events(streams, options.stream, path.string());
  return source;
}

}  // namespace weir::formats
