#include "weir/formats/kinds/open_ephys/open_ephys_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/input_file.h"
#include "weir/formats/json.h"
#include "weir/formats/kinds/open_ephys/open_ephys.h"
#include "weir/formats/kinds/open_ephys/open_ephys_columns.h"
#include "weir/formats/kinds/open_ephys/open_ephys_folder.h"
#include "weir/formats/kinds/open_ephys/open_ephys_structure.h"
#include "weir/formats/label_events.h"
#include "weir/formats/recording_document.h"
#include "weir/formats/stored_events.h"

namespace weir::formats {
namespace {
namespace fs = std::filesystem;
constexpr std::int64_t kMostLines = 32768;  // States are int16.

/// A recording's event folders, and what structure.oebin says of its streams.
struct Session {
  fs::path recording;
  OpenEphysStructure structure;
  std::vector<OpenEphysEvents> events;
};

Session open_session(const fs::path& path) {
  Session session;
  session.recording = find_open_ephys(path).recording;
  if (session.recording.empty()) {
    throw Error(stands_at(path) ? ErrorCode::unsupported : ErrorCode::not_found,
                fmt::format("{}: no structure.oebin there, below it, or above it", path.string()));
  }
  const fs::path oebin = session.recording / "structure.oebin";
  const std::string text = read_text_file(oebin.string());
  reading_document(oebin.string(), [&] {
    const Value document = parse_json(text);
    session.structure = read_open_ephys_structure(document);
    session.events = read_open_ephys_events(document);
  });
  return session;
}

/// The stream whose samples the events count: that of their folder, or the one they name, or the
/// only one.
const OpenEphysStream* stream_of(const Session& session, const OpenEphysEvents& events) {
  const std::string folder = fs::path(events.folder).begin()->string();
  const OpenEphysStream* named = nullptr;
  for (const auto& stream : session.structure.streams) {
    if (stream.folder == folder) {
      return &stream;
    }
    named = !events.stream.empty() && stream.name == events.stream ? &stream : named;
  }
  const bool only = session.structure.streams.size() == 1;
  return named == nullptr && only ? &session.structure.streams.front() : named;
}

/// Rate and segments of a folder of events. Without the stream's samples: the counter from 0 on.
StreamInfo clock_of(const Session& session, const OpenEphysEvents& events,
                    std::vector<std::string>& warnings) {
  StreamInfo clock;
  const OpenEphysStream* stream = stream_of(session, events);
  if (stream != nullptr &&
      stands_at(session.recording / "continuous" / stream->folder / "continuous.dat")) {
    OpenOptions options;
    options.stream = stream->folder;
    const auto recording = open_ephys_format().open(session.recording, options);
    clock.rate = recording->info().rate;
    clock.segments = recording->info().segments;
    return clock;
  }
  if (stream != nullptr) {
    clock.rate = stream->rate;
  } else {
    clock.rate = in_context(fmt::format("events: {}: sample_rate", events.folder),
                            [&] { return SampleRate::from_hz(events.rate_hz); });
  }
  warnings.push_back(fmt::format("{}: the samples it counts are not there; times are from sample 0",
                                 events.folder));
  clock.segments = {Segment{.frames = -1, .start_s = {}}};
  return clock;
}

/// Sample numbers of the rows, before version 0.6 in timestamps.npy.
std::vector<std::int64_t> sample_numbers(const fs::path& folder,
                                         std::vector<std::string>& warnings) {
  for (const char* name : {"sample_numbers.npy", "timestamps.npy"}) {
    if (stands_at(folder / name) && holds_integers(folder / name)) {
      return read_npy_integers(folder / name);
    }
  }
  warnings.push_back(
      fmt::format("{}: has no sample numbers: its events have no place", folder.string()));
  return {};
}

/// Rows with their places; those before the recording are counted.
class Placed {
 public:
  explicit Placed(const StreamInfo& clock) : clock_(clock) {}

  std::optional<ClockPlace> at(std::int64_t number) {
    const auto& rate = clock_.rate.exact();
    auto place = place_at(clock_, static_cast<long double>(number) *
                                      static_cast<long double>(rate.denominator()) /
                                      static_cast<long double>(rate.numerator()));
    early_ += place ? 0 : 1;
    return place;
  }
  void tell(const fs::path& folder, std::vector<std::string>& warnings) const {
    if (early_ > 0) {
      warnings.push_back(fmt::format("{}: {} events before the recording began are left out",
                                     folder.string(), grouped(early_)));
    }
  }

 private:
  const StreamInfo& clock_;
  std::int64_t early_ = 0;
};

std::size_t rows_of(std::size_t values, std::size_t numbers, const fs::path& folder,
                    std::vector<std::string>& warnings) {
  if (values != numbers) {
    warnings.push_back(fmt::format("{}: {} events, but {} sample numbers; the rest are ignored",
                                   folder.string(), values, numbers));
  }
  return std::min(values, numbers);
}

/// Edges: line n went on (+n) or off (-n).
std::unique_ptr<EventSource> read_edges(EventStreamInfo info, const fs::path& folder) {
  info.kind = EventKind::ttl;
  const fs::path file =
      stands_at(folder / "states.npy") ? folder / "states.npy" : folder / "channel_states.npy";
  const auto states = stands_at(file) ? read_npy_integers(file) : std::vector<std::int64_t>();
  const auto numbers =
      states.empty() ? std::vector<std::int64_t>() : sample_numbers(folder, info.warnings);
  const std::size_t rows = rows_of(states.size(), numbers.size(), folder, info.warnings);
  Placed placed(info.table.stream);
  EventList events;
  std::int64_t lines = 0;
  std::int64_t odd = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    const std::int64_t line = std::min(std::abs(std::max(states[i], -kMostLines)), kMostLines);
    if (line == 0 || line == kMostLines) {
      ++odd;
      continue;
    }
    lines = std::max(lines, line);
    if (const auto place = placed.at(numbers[i])) {
      events.push_back({.onset = place->frame,
                        .offset = place->frame,
                        .peak = place->frame,
                        .peak_value = states[i] > 0 ? 1.0F : 0.0F,
                        .channel = static_cast<std::int32_t>(line - 1),
                        .segment = place->segment,
                        .polarity = static_cast<std::int8_t>(states[i] > 0 ? 1 : -1)});
    }
  }
  placed.tell(folder, info.warnings);
  if (odd > 0) {
    info.warnings.push_back(fmt::format("{}: {} states name no line", file.string(), grouped(odd)));
  }
  info.table.stream.channels = make_channels(lines);
  for (auto& channel : info.table.stream.channels) {
    channel.name = fmt::format("line {}", channel.source_index + 1);
  }
  return make_stored_events(std::move(info), std::move(events));
}

std::unique_ptr<EventSource> read_texts(EventStreamInfo info, const fs::path& folder) {
  info.kind = EventKind::annotations;
  const auto texts = read_npy_texts(folder / "text.npy");
  const auto numbers =
      texts.empty() ? std::vector<std::int64_t>() : sample_numbers(folder, info.warnings);
  const std::size_t rows = rows_of(texts.size(), numbers.size(), folder, info.warnings);
  const StreamInfo clock = info.table.stream;
  Placed placed(clock);
  LabelEvents labels(std::move(info));
  for (std::size_t i = 0; i < rows; ++i) {
    if (const auto place = placed.at(numbers[i])) {
      labels.add_at(texts[i], *place);
    }
  }
  placed.tell(folder, labels.info().warnings);
  return labels.take(folder.string());
}

std::unique_ptr<EventSource> read_folder(const Session& session, const OpenEphysEvents& events) {
  EventStreamInfo info;
  info.name = events.folder;
  info.format = "open_ephys";
  info.table.stream = clock_of(session, events, info.warnings);
  const fs::path folder = session.recording / "events" / events.folder;
  return stands_at(folder / "text.npy") ? read_texts(std::move(info), folder)
                                        : read_edges(std::move(info), folder);
}
}  // namespace

std::vector<EventStreamInfo> list_open_ephys_events(const fs::path& path, const OpenOptions&) {
  const Session session = open_session(path);
  std::vector<EventStreamInfo> streams;
  streams.reserve(session.events.size());
  for (const auto& events : session.events) {
    streams.push_back(read_folder(session, events)->info());
  }
  return streams;
}

std::unique_ptr<EventSource> open_open_ephys_events(const fs::path& path,
                                                    const OpenOptions& options) {
  const Session session = open_session(path);
  std::vector<EventStreamInfo> names(session.events.size());
  std::transform(session.events.begin(), session.events.end(), names.begin(),
                 [](const OpenEphysEvents& events) {
                   EventStreamInfo info;
                   info.name = events.folder;
                   return info;
                 });
  return read_folder(session, session.events[choose_events(names, options.stream, path.string())]);
}

}  // namespace weir::formats
