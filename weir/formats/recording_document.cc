#include "weir/formats/recording_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "weir/core/error.h"

namespace weir::formats {
namespace {
constexpr std::int64_t kTimeVersion = 1;  ///< Of what runs along time: any program reads it.
constexpr std::int64_t kAxisVersion = 2;  ///< Of what has an `axis`.

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

const std::vector<std::string> kChannelKeys{"name", "source_index", "gain", "offset",
                                            "unit", "position",     "group"};
const std::vector<std::string> kSegmentKeys{"start_s", "samples"};
const std::vector<std::string> kSidecarKeys{"weir_raw", "channels", "rate",       "dtype", "order",
                                            "samples",  "segments", "start_time", "axis"};

/// Keys of channels, written beside them.
void check_not_of_channels(const Value& document) {
  for (const auto& key : kChannelKeys) {
    if (document.find(key) != nullptr) {
      throw Error(ErrorCode::corrupt_data,
                  fmt::format("{}: unknown key here; it belongs inside each of channels", key));
    }
  }
}

/// The list of keys is closed: more keys make a newer version. A slip would lose what was meant.
void check_keys(const Value& value, const std::vector<std::string>& known) {
  if (!value.is_object()) {
    throw Error(ErrorCode::corrupt_data,
                fmt::format("expected an object, found {}", value.type_name()));
  }
  for (const auto& [key, member] : value.as_object()) {
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      const auto nearest = nearest_word(key, known);
      throw Error(ErrorCode::corrupt_data,
                  nearest ? fmt::format("{}: unknown key; did you mean \"{}\"?", key, *nearest)
                          : fmt::format("{}: unknown key; known: {}", key, fmt::join(known, ", ")));
    }
  }
}

/// The member called `key`; null when absent or null, which say the same.
const Value* given(const Value& object, std::string_view key) {
  const Value* found = object.find(key);
  return found != nullptr && found->is_null() ? nullptr : found;
}

std::string text_or(const Value& value, const std::string& otherwise) {
  return value.is_null() ? otherwise : value.as_string();
}

std::array<double, 3> to_position(const Value& value) {
  const auto& axes = value.as_array();
  if (axes.size() < 2 || axes.size() > 3) {
    throw Error(ErrorCode::corrupt_data, fmt::format("{} numbers, expected x, y, z", axes.size()));
  }
  return {axes[0].as_number(), axes[1].as_number(), axes.size() == 3 ? axes[2].as_number() : 0.0};
}

Channel to_channel(const Value& value, std::int64_t index) {
  check_keys(value, kChannelKeys);
  Channel channel;
  channel.name = fmt::format("ch{}", index);
  channel.source_index = index;
  const auto field = [&](std::string_view key, const auto& take) {
    if (const Value* given = value.find(key)) {
      in_context(key, [&] { take(*given); });
    }
  };
  field("name", [&](const Value& given) { channel.name = text_or(given, channel.name); });
  field("source_index", [&](const Value& given) { channel.source_index = given.as_integer(); });
  field("gain", [&](const Value& given) { channel.gain = given.as_number(); });
  field("offset", [&](const Value& given) { channel.offset = given.as_number(); });
  field("unit", [&](const Value& given) { channel.unit = text_or(given, channel.unit); });
  field("group", [&](const Value& given) { channel.group = text_or(given, channel.group); });
  field("position", [&](const Value& given) {
    if (!given.is_null()) {
      channel.position = to_position(given);
    }
  });
  return channel;
}

std::vector<Channel> to_channels(const Value& value) {
  std::vector<Channel> channels;
  for (const auto& item : in_context("channels", [&]() -> auto& { return value.as_array(); })) {
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
  for (const auto& item : in_context("segments", [&]() -> auto& { return value.as_array(); })) {
    Segment segment;
    segment.index = static_cast<std::int64_t>(segments.size());
    in_context(fmt::format("segments[{}]", segment.index), [&] {
      check_keys(item, kSegmentKeys);
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
  std::optional<std::int64_t> samples;
  if (const Value* value = given(document, "samples")) {
    samples = in_context("samples", [&] { return value->as_integer(); });
  }
  if (const Value* segments = given(document, "segments")) {
    auto result = to_segments(*segments);
    const std::int64_t total =
        StreamInfo{.rate = {}, .channels = {}, .segments = result}.total_frames();
    if (samples && *samples != total) {
      throw Error(ErrorCode::corrupt_data,
                  fmt::format("samples: {}, but the segments hold {}", *samples, total));
    }
    return result;
  }
  if (!samples) {
    throw Error(ErrorCode::corrupt_data, "samples: missing, and there are no segments");
  }
  if (*samples < 0) {
    throw Error(ErrorCode::corrupt_data, fmt::format("samples: {} cannot be", *samples));
  }
  return {Segment{.frames = *samples, .start_s = {}}};
}
}  // namespace

Value to_document(std::string_view version_key, const StreamInfo& stream,
                  const std::vector<std::int64_t>& frames, const std::string& start_time) {
  Value document = Value::object();
  const bool timed = stream.axis == Axis::time_s;
  document.set(version_key, timed ? kTimeVersion : kAxisVersion);
  Value channels = Value::array();
  for (const auto& channel : stream.channels) {
    channels.push_back(to_value(channel));
  }
  document.set("channels", std::move(channels));
  if (!timed) {
    document.set("axis", name(stream.axis));
  }
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

void check_version(const Value& document, std::string_view key, std::string_view file,
                   std::int64_t newest) {
  reading_document(file, [&] {
    const Value* number = given(document, key);
    if (number == nullptr) {
      throw Error(ErrorCode::corrupt_data,
                  document.is_object()
                      ? fmt::format("{}: is missing; \"{}\": {} says what this file is", key, key,
                                    kTimeVersion)
                      : fmt::format("expected an object with \"{}\": {}, found {}", key,
                                    kTimeVersion, document.type_name()));
    }
    in_context(key, [&] {
      const std::int64_t version = number->as_integer();
      if (version > newest) {
        throw Error(ErrorCode::unsupported,
                    fmt::format("version {} was written by a newer Weir; this one reads up to {}",
                                version, newest));
      }
      if (version < 1) {
        throw Error(ErrorCode::corrupt_data, fmt::format("version {} cannot be", version));
      }
    });
  });
}

RecordingDocument from_document(const Value& document, std::string_view version_key,
                                std::string_view file) {
  check_version(document, version_key, file, kAxisVersion);
  return reading_document(file, [&] {
    if (version_key == kSidecarKeys.front()) {  // A store's attributes may be anybody's.
      check_not_of_channels(document);
      check_keys(document, kSidecarKeys);
    }
    RecordingDocument result;
    result.rate = in_context("rate", [&] { return SampleRate(to_rational(document.at("rate"))); });
    result.channels = to_channels(document.at("channels"));
    result.segments = segments_of(document);
    result.stored =
        in_context("dtype", [&] { return stored_type(document.at("dtype").as_string()); });
    if (const Value* order = given(document, "order")) {
      result.order = in_context("order", [&] { return sample_order(order->as_string()); });
    }
    if (const Value* axis = given(document, "axis")) {
      result.axis = in_context("axis", [&] { return axis_named(axis->as_string()); });
    }
    if (const Value* start = given(document, "start_time")) {
      result.start_time = in_context("start_time", [&] { return start->as_string(); });
    }
    return result;
  });
}

}  // namespace weir::formats
