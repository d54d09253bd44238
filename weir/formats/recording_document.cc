#include "weir/formats/recording_document.h"

#include <fmt/format.h>

#include <cmath>

#include "weir/core/error.h"

namespace weir::formats {
namespace {
constexpr std::int64_t kVersion = 1;

Value to_value(const Rational& ratio) {
  return Value(Value::Array{ratio.numerator(), ratio.denominator()});
}

/// [numerator, denominator], or a plain number.
Rational to_rational(const Value& value) {
  if (value.is_array()) {
    const auto& pair = value.as_array();
    if (pair.size() != 2) {
      throw Error(ErrorCode::corrupt_data, fmt::format("{} numbers, expected 2", pair.size()));
    }
    return Rational(pair[0].as_integer(), pair[1].as_integer());
  }
  return value.is_integer() ? Rational(value.as_integer())
                            : Rational::from_decimal(value.as_number());
}

Value to_value(const Channel& channel) {
  Value value = Value::object();
  value.set("name", channel.name);
  value.set("source_index", channel.source_index);
  value.set("gain", channel.gain);
  value.set("offset", channel.offset);
  value.set("unit", channel.unit);
  value.set("position", nullptr);
  if (channel.position) {
    const auto& [x, y, z] = *channel.position;
    value.set("position", Value(Value::Array{x, y, z}));
  }
  value.set("group", channel.group);
  return value;
}

std::string text_or(const Value& value, const std::string& otherwise) {
  return value.is_null() ? otherwise : value.as_string();
}

Channel to_channel(const Value& value, std::int64_t index) {
  Channel channel;
  channel.name = fmt::format("ch{}", index);
  channel.source_index = index;
  const auto field = [&](std::string_view key, const auto& take) {
    if (const Value* given = value.find(key)) {
      in_context(key, [&] { take(*given); });
    }
  };
  field("name", [&](const Value& given) { channel.name = given.as_string(); });
  field("source_index", [&](const Value& given) { channel.source_index = given.as_integer(); });
  field("gain", [&](const Value& given) { channel.gain = given.as_number(); });
  field("offset", [&](const Value& given) { channel.offset = given.as_number(); });
  field("unit", [&](const Value& given) { channel.unit = text_or(given, channel.unit); });
  field("group", [&](const Value& given) { channel.group = text_or(given, channel.group); });
  if (const Value* position = value.find("position"); position != nullptr && !position->is_null()) {
    const auto& axes = position->as_array();
    if (axes.size() < 2 || axes.size() > 3) {
      throw Error(ErrorCode::corrupt_data,
                  fmt::format("position: {} numbers, expected x, y, z", axes.size()));
    }
    channel.position = {axes[0].as_number(), axes[1].as_number(),
                        axes.size() == 3 ? axes[2].as_number() : 0.0};
  }
  return channel;
}

std::vector<Channel> to_channels(const Value& value) {
  std::vector<Channel> channels;
  for (const auto& item : value.as_array()) {
    const auto index = static_cast<std::int64_t>(channels.size());
    channels.push_back(
        in_context(fmt::format("channels[{}]", index), [&] { return to_channel(item, index); }));
  }
  if (channels.empty()) {
    throw Error(ErrorCode::corrupt_data, "channels: there are none");
  }
  return channels;
}

std::vector<Segment> to_segments(const Value& value) {
  std::vector<Segment> segments;
  std::int64_t total = 0;
  for (const auto& item : value.as_array()) {
    Segment segment;
    segment.index = static_cast<std::int64_t>(segments.size());
    in_context(fmt::format("segments[{}]", segment.index), [&] {
      segment.frames = item.at("samples").as_integer();
      if (segment.frames < 0 || __builtin_add_overflow(total, segment.frames, &total)) {
        throw Error(ErrorCode::corrupt_data, fmt::format("samples: {} cannot be", segment.frames));
      }
      if (const Value* start = item.find("start_s")) {
        segment.start_s = in_context("start_s", [&] { return to_rational(*start); });
      }
    });
    segments.push_back(segment);
  }
  return segments;
}

/// Sidecars without `segments` hold one, `samples` long.
std::vector<Segment> segments_of(const Value& document) {
  const Value* samples = document.find("samples");
  if (const Value* segments = document.find("segments")) {
    auto result = to_segments(*segments);
    const std::int64_t total =
        StreamInfo{.rate = {}, .channels = {}, .segments = result}.total_frames();
    if (samples != nullptr && samples->as_integer() != total) {
      throw Error(ErrorCode::corrupt_data, fmt::format("samples: {}, but the segments hold {}",
                                                       samples->as_integer(), total));
    }
    return result;
  }
  if (samples == nullptr) {
    throw Error(ErrorCode::corrupt_data, "samples: missing, and there are no segments");
  }
  if (samples->as_integer() < 0) {
    throw Error(ErrorCode::corrupt_data,
                fmt::format("samples: {} cannot be", samples->as_integer()));
  }
  return {Segment{.frames = samples->as_integer(), .start_s = {}}};
}
}  // namespace

Value to_document(std::string_view version_key, const StreamInfo& stream,
                  const std::vector<std::int64_t>& frames, const std::string& start_time) {
  Value document = Value::object();
  document.set(version_key, kVersion);
  Value channels = Value::array();
  for (const auto& channel : stream.channels) {
    channels.push_back(to_value(channel));
  }
  document.set("channels", std::move(channels));
  document.set("rate", to_value(stream.rate.exact()));
  document.set("dtype", name(stream.type));
  document.set("order", name(SampleOrder::time_major));
  std::int64_t total = 0;
  Value segments = Value::array();
  for (std::size_t i = 0; i < frames.size(); ++i) {
    Value segment = Value::object();
    segment.set("start_s", to_value(stream.segments.at(i).start_s));
    segment.set("samples", frames[i]);
    segments.push_back(std::move(segment));
    total += frames[i];
  }
  document.set("samples", total);
  document.set("segments", std::move(segments));
  document.set("start_time", start_time);
  return document;
}

void check_version(const Value& document, std::string_view key, std::string_view file) {
  reading_document(file, [&] {
    in_context(key, [&] {
      const std::int64_t version = document.at(key).as_integer();
      if (version > kVersion) {
        throw Error(ErrorCode::unsupported,
                    fmt::format("version {} was written by a newer Weir; this one reads up to {}",
                                version, kVersion));
      }
      if (version < 1) {
        throw Error(ErrorCode::corrupt_data, fmt::format("version {} cannot be", version));
      }
    });
  });
}

RecordingDocument from_document(const Value& document, std::string_view version_key,
                                std::string_view file) {
  check_version(document, version_key, file);
  return reading_document(file, [&] {
    RecordingDocument result;
    result.rate = in_context("rate", [&] { return SampleRate(to_rational(document.at("rate"))); });
    result.channels = to_channels(document.at("channels"));
    result.segments = segments_of(document);
    result.stored =
        in_context("dtype", [&] { return stored_type(document.at("dtype").as_string()); });
    if (const Value* order = document.find("order")) {
      result.order = in_context("order", [&] { return sample_order(order->as_string()); });
    }
    if (const Value* start = document.find("start_time"); start != nullptr && !start->is_null()) {
      result.start_time = start->as_string();
    }
    return result;
  });
}

}  // namespace weir::formats
