#include "weir/cli/recording_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "weir/cli/text_table.h"
#include "weir/core/text.h"

namespace weir::cli {
namespace {
constexpr std::size_t kFewChannels = 16;
constexpr std::size_t kFewSegments = 12;

double seconds_of(const RecordingInfo& info) {
  return info.rate.seconds(info.total_frames());
}

std::string counted(std::int64_t count, std::string_view what) {
  return fmt::format("{} {}{}", grouped(count), what, count == 1 ? "" : "s");
}

std::string names_of(const std::vector<Channel>& channels) {
  if (channels.empty()) {
    return "none";
  }
  if (channels.size() == 1) {
    return "1: " + printable(channels.front().name);
  }
  return fmt::format("{}: {} … {}", grouped(static_cast<std::int64_t>(channels.size())),
                     printable(channels.front().name), printable(channels.back().name));
}

/// "uV (383 channels), V (1 channel)", most channels first; just "uV" when all agree.
std::string units_of(const std::vector<Channel>& channels) {
  std::vector<std::pair<std::string, std::int64_t>> counts;
  for (const auto& channel : channels) {
    const std::string unit = channel.unit.empty() ? "none" : printable(channel.unit);
    const auto found = std::find_if(counts.begin(), counts.end(),
                                    [&](const auto& entry) { return entry.first == unit; });
    if (found == counts.end()) {
      counts.emplace_back(unit, 1);
    } else {
      ++found->second;
    }
  }
  if (counts.size() == 1) {
    return counts.front().first;
  }
  std::stable_sort(counts.begin(), counts.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text;
  for (const auto& [unit, count] : counts) {
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", unit, counted(count, "channel"));
  }
  return text;
}

/// "0.195 per count, offset 0"; a range where channels differ. Words of digital lines and other
/// channels without a unit count only where all are such.
std::string gains_of(std::vector<Channel> channels) {
  const auto measured = std::stable_partition(channels.begin(), channels.end(),
                                              [](const auto& c) { return !c.unit.empty(); });
  if (measured != channels.begin()) {
    channels.erase(measured, channels.end());
  }
  const auto range = [&](double Channel::* member) {
    const auto [low, high] =
        std::minmax_element(channels.begin(), channels.end(),
                            [&](const auto& a, const auto& b) { return a.*member < b.*member; });
    return (*low).*member == (*high).*member
               ? fmt::format("{}", (*low).*member)
               : fmt::format("{} to {}", (*low).*member, (*high).*member);
  };
  return fmt::format("{} per count, offset {}", range(&Channel::gain), range(&Channel::offset));
}

std::int64_t groups_of(const std::vector<Channel>& channels) {
  std::set<std::string> groups;
  for (const auto& channel : channels) {
    if (!channel.group.empty()) {
      groups.insert(channel.group);
    }
  }
  return static_cast<std::int64_t>(groups.size());
}

std::string segment_lines(const RecordingInfo& info) {
  TextTable table({"segment", "starts", "frames", "lasts"});
  const std::size_t shown = std::min(info.segments.size(), kFewSegments);
  for (std::size_t i = 0; i < shown; ++i) {
    const Segment& segment = info.segments[i];
    table.row({fmt::format("{}", i), fmt::format("{:.6f} s", segment.start_s.to_double()),
               grouped(segment.frames),
               info.axis == Axis::time_s ? duration_text(info.rate.seconds(segment.frames)) : ""});
  }
  std::string text = '\n' + table.text();
  if (shown < info.segments.size()) {
    text += fmt::format("… and {} more\n", info.segments.size() - shown);
  }
  return text;
}

std::string channel_lines(const std::vector<Channel>& channels) {
  TextTable table({"channel", "name", "unit", "gain", "offset", "group", "position (um)"});
  for (std::size_t i = 0; i < channels.size(); ++i) {
    const Channel& channel = channels[i];
    table.row({fmt::format("{}", i), printable(channel.name), printable(channel.unit),
               fmt::format("{}", channel.gain), fmt::format("{}", channel.offset),
               printable(channel.group),
               channel.position ? fmt::format("{}", fmt::join(*channel.position, " ")) : ""});
  }
  return '\n' + table.text();
}

Value to_value(const Channel& channel) {
  Value object = Value::object();
  object.set("name", channel.name);
  object.set("source_index", channel.source_index);
  object.set("gain", channel.gain);
  object.set("offset", channel.offset);
  object.set("unit", channel.unit);
  if (channel.position) {
    object.set("position", Value::Array(channel.position->begin(), channel.position->end()));
  }
  if (!channel.group.empty()) {
    object.set("group", channel.group);
  }
  return object;
}
}  // namespace

std::string summary_text(const RecordingInfo& info, const SummaryOptions& options) {
  TextTable table;
  table.row({"name", printable(info.name)});
  table.row({"format", info.format});
  for (const char* key : {"probe", "stream", "streams"}) {
    if (const auto found = info.metadata.find(key); found != info.metadata.end()) {
      table.row({key, printable(found->second)});
    }
  }
  const bool timed = info.axis == Axis::time_s;
  table.row({timed ? "rate" : "axis",
             timed ? info.rate.text()
                   : fmt::format("{}, {}", name(info.axis), rows_text(info.axis, info.rate))});
  table.row({"channels", names_of(info.channels)});
  if (!info.channels.empty()) {
    table.row({"unit", units_of(info.channels)});
    table.row({"gain", gains_of(info.channels)});
  }
  if (const auto groups = groups_of(info.channels); groups > 0) {
    table.row({"groups", grouped(groups)});
  }
  const std::string segments =
      counted(static_cast<std::int64_t>(info.segments.size()), timed ? "segment" : "spectrum");
  table.row(
      timed ? std::vector<std::string>{"duration",
                                       fmt::format("{} ({}, {})", duration_text(seconds_of(info)),
                                                   counted(info.total_frames(), "frame"), segments)}
            : std::vector<std::string>{"length", fmt::format("{} of {}", segments,
                                                             counted(info.total_frames(), "row"))});
  table.row({"stored as", fmt::format("{}, {}", name(info.stored), name(info.order))});
  if (!info.start_time.empty()) {
    table.row({"recorded", printable(info.start_time)});
  }
  std::string text = table.text();
  if (info.segments.size() > 1) {
    text += segment_lines(info);
  }
  if (options.every_channel || (info.channels.size() > 1 && info.channels.size() <= kFewChannels)) {
    text += channel_lines(info.channels);
  }
  return text;
}

Value summary_json(const RecordingInfo& info) {
  Value rate = Value::array();
  rate.push_back(info.rate.exact().numerator());
  rate.push_back(info.rate.exact().denominator());
  Value channels = Value::array();
  for (const auto& channel : info.channels) {
    channels.push_back(to_value(channel));
  }
  Value segments = Value::array();
  for (const auto& segment : info.segments) {
    Value object = Value::object();
    object.set("start_s", segment.start_s.to_double());
    object.set("frames", segment.frames);
    segments.push_back(std::move(object));
  }
  Value metadata = Value::object();
  for (const auto& [key, value] : info.metadata) {
    metadata.set(key, value);
  }
  Value object = Value::object();
  object.set("name", info.name);
  object.set("format", info.format);
  object.set("axis", name(info.axis));
  object.set("rate", std::move(rate));
  object.set("rate_hz", info.rate.hz());
  object.set("frames", info.total_frames());
  object.set("duration_s", info.axis == Axis::time_s ? Value(seconds_of(info)) : Value());
  object.set("stored_type", name(info.stored));
  object.set("order", name(info.order));
  object.set("start_time", info.start_time.empty() ? Value() : Value(info.start_time));
  object.set("segments", std::move(segments));
  object.set("channels", std::move(channels));
  object.set("metadata", std::move(metadata));
  object.set("warnings", Value::Array(info.warnings.begin(), info.warnings.end()));
  return object;
}

}  // namespace weir::cli
