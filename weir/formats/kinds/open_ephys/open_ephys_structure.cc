#include "weir/formats/kinds/open_ephys/open_ephys_structure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "weir/core/error.h"
#include "weir/formats/dense_source.h"

namespace weir::formats {
namespace {
/// Volts of a count of an Intan chip's auxiliary input (RHD2000 data sheet).
constexpr double kAuxiliaryMicrovolts = 37.4;
constexpr double kHeadstageMicrovolts = 0.195;

std::string text_of(const Value& object, std::string_view key) {
  const Value* value = object.find(key);
  return value != nullptr && value->is_string() ? value->as_string() : std::string();
}

/// Neither absolute nor upwards: nothing outside the recording's folder is read.
std::string folder_of(const Value& entry) {
  std::string name = in_context("folder_name", [&] { return entry.at("folder_name").as_string(); });
  while (!name.empty() && name.back() == '/') {
    name.pop_back();
  }
  const std::filesystem::path path(name);
  const bool leaves = path.is_absolute() ||
                      std::any_of(path.begin(), path.end(),
                                  [](const auto& part) { return part == ".." || part == "."; });
  if (name.empty() || leaves || name.find('\0') != std::string::npos) {
    throw Error(ErrorCode::corrupt_data,
                fmt::format("folder_name: \"{}\" is no folder inside the recording", name));
  }
  return name;
}

bool contains(const std::string& name, std::string_view part) {
  return name.find(part) != std::string::npos;
}

/// Microvolts for electrodes and volts for converters, where the file does not tell.
std::string unit_of(const Value& entry, const std::string& name) {
  if (contains(name, "SYNC")) {
    return {};
  }
  const std::string unit = text_of(entry, "units");
  return !unit.empty() ? unit : contains(name, "ADC") ? "V" : "uV";
}

Channel channel_of(const Value& entry, std::int64_t index, std::vector<std::string>& warnings) {
  Channel channel;
  channel.name = text_of(entry, "channel_name");
  channel.name = channel.name.empty() ? fmt::format("CH{}", index + 1) : channel.name;
  channel.source_index = index;
  channel.unit = unit_of(entry, channel.name);
  channel.gain = contains(channel.name, "SYNC")
                     ? 1
                     : in_context("bit_volts", [&] { return entry.at("bit_volts").as_number(); });
  if (!std::isfinite(channel.gain) || channel.gain == 0) {
    throw Error(ErrorCode::corrupt_data, fmt::format("bit_volts: {} is no gain", channel.gain));
  }
  const bool as_headstage =
      std::abs(channel.gain - kHeadstageMicrovolts) < 1e-6 && channel.unit == "uV";
  if (channel.name.starts_with("AUX") && as_headstage) {
    warnings.push_back(
        fmt::format("channel {}: bit_volts {} is that of the electrodes; read with "
                    "the {} uV of an auxiliary input",
                    channel.name, channel.gain, kAuxiliaryMicrovolts));
    channel.gain = kAuxiliaryMicrovolts;
  }
  return channel;
}

OpenEphysStream stream_of(const Value& entry) {
  OpenEphysStream stream;
  stream.folder = folder_of(entry);
  stream.name = text_of(entry, "stream_name");
  stream.processor = text_of(entry, "source_processor_name");
  const double rate =
      in_context("sample_rate", [&] { return entry.at("sample_rate").as_number(); });
  stream.rate = in_context("sample_rate", [&] { return SampleRate::from_hz(rate); });
  const auto& list = in_context(
      "channels", [&]() -> const Value::Array& { return entry.at("channels").as_array(); });
  in_context("channels", [&] { return checked_channels(std::ssize(list)); });
  for (const auto& one : list) {
    const auto index = std::ssize(stream.channels);
    stream.channels.push_back(in_context(fmt::format("channel {}", index),
                                         [&] { return channel_of(one, index, stream.warnings); }));
  }
  const Value* count = entry.find("num_channels");
  if (count != nullptr && *count != Value(std::ssize(list))) {
    throw Error(ErrorCode::corrupt_data,
                fmt::format("num_channels: {}, but {} channels are described", to_json(*count),
                            list.size()));
  }
  return stream;
}
}  // namespace

OpenEphysStructure read_open_ephys_structure(const Value& document) {
  OpenEphysStructure structure;
  structure.version = text_of(document, "GUI version");
  if (const Value* list = document.find("continuous")) {
    for (const auto& entry : list->as_array()) {
      structure.streams.push_back(in_context(fmt::format("continuous {}", structure.streams.size()),
                                             [&] { return stream_of(entry); }));
    }
  }
  return structure;
}

std::vector<OpenEphysEvents> read_open_ephys_events(const Value& document) {
  std::vector<OpenEphysEvents> events;
  const Value* list = document.find("events");
  if (list == nullptr || list->is_null()) {
    return events;
  }
  in_context("events", [&] {
    for (const auto& entry : list->as_array()) {
      in_context(fmt::format("{}", events.size()), [&] {
        const Value* rate = entry.find("sample_rate");
        events.push_back({.folder = folder_of(entry),
                          .stream = text_of(entry, "stream_name"),
                          .rate_hz = rate != nullptr && rate->is_number() ? rate->as_number() : 0});
      });
    }
  });
  return events;
}

}  // namespace weir::formats
