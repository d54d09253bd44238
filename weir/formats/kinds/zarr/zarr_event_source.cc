#include "weir/formats/kinds/zarr/zarr_event_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/json.h"
#include "weir/formats/kinds/zarr/zarr_event_columns.h"
#include "weir/formats/recording_document.h"
#include "weir/formats/stored_events.h"

namespace weir::formats {
namespace {
namespace fs = std::filesystem;
constexpr std::size_t kMostGroups = 4096;
constexpr std::size_t kMostSegments = 65536;

/// The attributes of a group; empty when it has none.
Value attributes_of(const fs::path& group) {
  const std::string file = (group / "zarr.json").string();
  const Value document = in_context(file, [&] { return parse_json(read_text_file(file)); });
  const Value* found = document.find("attributes");
  return found != nullptr && found->is_object() ? *found : Value::object();
}

bool has_events(const fs::path& group) {
  std::error_code failure;
  if (!fs::is_regular_file(group / "zarr.json", failure)) {
    return false;
  }
  const Value attributes = attributes_of(group);
  return attributes.find("weir_events") != nullptr || attributes.find("dspk_events") != nullptr;
}

/// The groups of events that a path brings, none of them by a link.
std::vector<fs::path> groups_of(const fs::path& path) {
  if (has_events(path)) {
    return {path};
  }
  std::vector<fs::path> groups;
  std::error_code failure;
  for (fs::directory_iterator entry(path / "events", failure), end; !failure && entry != end;
       entry.increment(failure)) {
    if (!entry->is_symlink() && groups.size() < kMostGroups && has_events(entry->path())) {
      groups.push_back(entry->path());
    }
  }
  std::sort(groups.begin(), groups.end());
  return groups;
}

/// Without the slash at the end of "spikes.zarr/".
fs::path plain(const fs::path& group) {
  return group.has_filename() ? group : group.parent_path();
}

std::string name_of(const fs::path& group) {
  return plain(group).stem().string();
}

Segment to_segment(const Value& value) {
  Segment segment;
  segment.index = value.at("index").as_integer();
  segment.frames = value.at("samples").as_integer();
  segment.first_frame = value.at("first_sample").as_integer();
  const auto& start = value.at("start_s").as_array();
  if (start.size() != 2 || segment.index < 0 || segment.frames < 0 || segment.first_frame < 0) {
    throw Error(ErrorCode::corrupt_data,
                fmt::format("index {}, samples {}, first_sample {}, start_s of {} numbers",
                            segment.index, segment.frames, segment.first_frame, start.size()));
  }
  segment.start_s = Rational(start[0].as_integer(), start[1].as_integer());
  return segment;
}

/// What the group says of its segments; nothing for one that older programs wrote.
std::vector<Segment> stated_segments(const Value& attributes) {
  std::vector<Segment> segments;
  const Value* stated = attributes.find("segments");
  if (stated == nullptr) {
    return segments;
  }
  in_context("segments", [&] {
    for (const auto& item : stated->as_array()) {
      in_context(fmt::format("[{}]", segments.size()),
                 [&] { segments.push_back(to_segment(item)); });
      for (std::size_t i = 0; i + 1 < segments.size(); ++i) {
        if (segments[i].index == segments.back().index || segments.size() > kMostSegments) {
          throw Error(ErrorCode::corrupt_data,
                      fmt::format("segment {} is there twice, or there are more than {}",
                                  segments.back().index, kMostSegments));
        }
      }
    }
  });
  return segments;
}

/// The segments of the recording that a group lies in, as `rec.zarr/events/name`.
std::vector<Segment> segments_around(const fs::path& group) {
  const fs::path events = plain(fs::absolute(group)).parent_path();
  std::error_code failure;
  if (events.filename() != "events" ||
      !fs::is_regular_file(events.parent_path() / "zarr.json", failure)) {
    return {};
  }
  const Value attributes = attributes_of(events.parent_path());
  if (attributes.find("weir_recording") == nullptr) {
    return {};
  }
  return from_document(attributes, "weir_recording", (events.parent_path() / "zarr.json").string())
      .segments;
}

std::vector<Segment> segments_of(const fs::path& group, const Value& attributes) {
  auto segments = stated_segments(attributes);
  return segments.empty() ? segments_around(group) : segments;
}

/// A group without its rows.
EventStreamInfo info_of(const fs::path& group) {
  const std::string file = (group / "zarr.json").string();
  const Value attributes = attributes_of(group);
  EventStreamInfo info;
  info.name = name_of(group);
  info.format = "zarr";
  info.kind = EventKind::table;
  const bool ours = attributes.find("weir_events") != nullptr;
  check_version(attributes, ours ? "weir_events" : "dspk_events", file);
  reading_document(file, [&] {
    auto& stream = info.table.stream;
    stream.rate = in_context("sample_rate_hz", [&] {
      return SampleRate::from_hz(attributes.at("sample_rate_hz").as_number());
    });
    const auto& names = in_context(
        "channel_names", [&]() -> auto& { return attributes.at("channel_names").as_array(); });
    if (std::ssize(names) > kMostLabels) {
      throw Error(ErrorCode::unsupported,
                  fmt::format("channel_names: {}, at most {} are held", names.size(), kMostLabels));
    }
    stream.channels = make_channels(std::ssize(names));
    for (std::size_t i = 0; i < names.size(); ++i) {
      stream.channels[i].name = in_context("channel_names", [&] { return names[i].as_string(); });
    }
    stream.segments = segments_of(group, attributes);
    const auto metadata = parse_array_metadata(
        parse_json(read_text_file((group / kZarrEventColumns[0].name / "zarr.json").string())));
    if (metadata.shape.size() != 1) {
      throw Error(ErrorCode::corrupt_data, "channel: is no column");
    }
    info.count = metadata.shape[0];
  });
  return info;
}

/// Puts the rows of a group into its segments, in the order of their indices where it states none.
std::unique_ptr<EventSource> with_rows(EventStreamInfo info, const fs::path& group) {
  if (*info.count > kMostHeldEvents) {
    throw Error(ErrorCode::unsupported,
                fmt::format("{}: {} rows, at most {} are held", group.string(),
                            grouped(*info.count), grouped(kMostHeldEvents)));
  }
  const ZarrEvents stored = read_zarr_events(group);
  auto& segments = info.table.stream.segments;
  std::map<std::int64_t, std::uint32_t> places;
  for (const auto& segment : segments) {
    places.emplace(segment.index, static_cast<std::uint32_t>(places.size()));
  }
  const bool stated = !segments.empty();
  EventList events;
  events.reserve(stored.rows.size());
  in_context(group.string(), [&] {
    for (std::size_t i = 0; i < stored.rows.size(); ++i) {
      const EventRow& row = stored.rows[i];
      const auto [place, fresh] =
          places.try_emplace(row.segment, static_cast<std::uint32_t>(segments.size()));
      if (fresh && (stated || segments.size() == kMostSegments)) {
        throw Error(ErrorCode::corrupt_data, fmt::format("row {}: segment: {} is none of {}", i,
                                                         row.segment, segments.size()));
      }
      if (fresh) {
        segments.push_back({.frames = -1, .start_s = {}, .index = row.segment});
      }
      events.push_back(in_context(fmt::format("row {}", i),
                                  [&] { return from_row(row, place->second, info.table); }));
    }
  });
  return make_stored_events(std::move(info), std::move(events));
}
}  // namespace

std::vector<EventStreamInfo> list_zarr_events(const fs::path& path, const OpenOptions&) {
  std::vector<EventStreamInfo> listed;
  for (const auto& group : groups_of(path)) {
    listed.push_back(info_of(group));
  }
  return listed;
}

std::unique_ptr<EventSource> open_zarr_events(const fs::path& path, const OpenOptions& options) {
  const auto groups = groups_of(path);
  std::vector<EventStreamInfo> names(groups.size());
  std::transform(groups.begin(), groups.end(), names.begin(), [](const fs::path& group) {
    EventStreamInfo info;
    info.name = name_of(group);
    return info;
  });
  const fs::path& group = groups[choose_events(names, options.stream, path.string())];
  return with_rows(info_of(group), group);
}

Value zarr_event_segments(const std::vector<Segment>& segments) {
  Value list = Value::array();
  for (const auto& segment : segments) {
    Value item = Value::object();
    item.set("index", segment.index);
    item.set("start_s",
             Value(Value::Array{segment.start_s.numerator(), segment.start_s.denominator()}));
    item.set("samples", segment.frames);
    item.set("first_sample", segment.first_frame);
    list.push_back(std::move(item));
  }
  return list;
}

}  // namespace weir::formats
