#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/dense_source.h"
#include "weir/formats/kinds/zarr/zarr_recordings.h"
#include "weir/formats/kinds/zarr/zarr_source.h"
#include "weir/formats/raw_options.h"
#include "weir/formats/recording_document.h"

namespace weir::formats {
namespace {
namespace fs = std::filesystem;

bool is_one_of(const std::string& name, std::span<const std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Which axis is time, from the names of the dimensions; empty when they do not say.
std::optional<SampleOrder> named_order(const std::vector<std::string>& names) {
  constexpr std::array<std::string_view, 6> kTimes{"time",   "t",     "samples",
                                                   "sample", "frame", "frames"};
  constexpr std::array<std::string_view, 3> kChannels{"channel", "channels", "ch"};
  if (names.size() != 2) {
    return std::nullopt;
  }
  if (is_one_of(names[0], kTimes) || is_one_of(names[1], kChannels)) {
    return SampleOrder::time_major;
  }
  if (is_one_of(names[1], kTimes) || is_one_of(names[0], kChannels)) {
    return SampleOrder::channel_major;
  }
  return std::nullopt;
}

/// The attribute of the array, else of its group.
const Value* attribute(const Value& array, const Value& group, std::string_view key) {
  const Value* value = array.find(key);
  value = value != nullptr ? value : group.find(key);
  return value != nullptr && !value->is_null() ? value : nullptr;
}

/// "uV" for "microvolt".
std::string unit_symbol(const std::string& unit) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kUnits{
      {{"volt", "V"},
       {"millivolt", "mV"},
       {"microvolt", "uV"},
       {"ampere", "A"},
       {"milliampere", "mA"},
       {"microampere", "uA"},
       {"dimensionless", ""}}};
  for (const auto& [name, symbol] : kUnits) {
    if (unit == name || unit == std::string(name) + "s") {
      return std::string(symbol);
    }
  }
  return unit;
}

/// One number for all channels, or one a channel.
std::vector<double> numbers(const Value* value, std::string_view key, double otherwise,
                            std::int64_t channels) {
  const auto count = static_cast<std::size_t>(channels);
  if (value == nullptr) {
    return std::vector<double>(count, otherwise);
  }
  return in_context(key, [&] {
    if (!value->is_array()) {
      return std::vector<double>(count, value->as_number());
    }
    std::vector<double> list;
    for (const auto& item : value->as_array()) {
      list.push_back(item.as_number());
    }
    if (list.size() != count) {
      throw Error(ErrorCode::corrupt_data,
                  fmt::format("{} entries for {} channels", list.size(), channels));
    }
    return list;
  });
}

/// Channels as attributes describe them, and `raw` corrects them.
std::vector<Channel> describe(const Value& array, const Value& group, const RawOptions& raw,
                              std::int64_t count) {
  auto channels = make_channels(count);
  const Value* microvolts = attribute(array, group, "gain_uv");
  const std::string_view gain_key = microvolts != nullptr ? "gain_uv" : "gain";
  const std::string_view offset_key = microvolts != nullptr ? "offset_uv" : "offset";
  const auto gains = numbers(attribute(array, group, gain_key), gain_key, 1, count);
  const auto offsets = numbers(attribute(array, group, offset_key), offset_key, 0, count);
  const Value* unit = attribute(array, group, "unit");
  const std::string symbol =
      unit != nullptr ? in_context("unit", [&] { return unit_symbol(unit->as_string()); })
                      : std::string(microvolts != nullptr ? "uV" : "");
  const Value* names = attribute(array, group, "channel_names");
  if (names != nullptr && std::ssize(names->as_array()) != count) {
    throw Error(ErrorCode::corrupt_data, fmt::format("channel_names: {} entries for {} channels",
                                                     names->as_array().size(), count));
  }
  for (std::size_t i = 0; i < channels.size(); ++i) {
    Channel& channel = channels[i];
    channel.gain = raw.gain.value_or(gains[i]);
    channel.offset = raw.offset.value_or(offsets[i]);
    channel.unit = raw.unit.value_or(symbol);
    if (names != nullptr) {
      channel.name = in_context("channel_names", [&] { return names->as_array()[i].as_string(); });
    }
  }
  return channels;
}

SampleRate rate_of(const Value& array, const Value& group, const RawOptions& raw) {
  if (!raw.rate_hz) {
    for (const std::string_view key : {"sample_rate_hz", "sampling_frequency"}) {
      if (const Value* rate = attribute(array, group, key)) {
        return in_context(key, [&] { return SampleRate::from_hz(rate->as_number()); });
      }
    }
  }
  return raw.rate();
}

/// Sets order, frames and channels of `info`.
void describe_axes(const ZarrArrayMetadata& metadata, const RawOptions& raw, RecordingInfo& info) {
  const auto& shape = metadata.shape;
  if (shape.size() > 2 || metadata.key_axes != shape.size()) {
    throw Error(ErrorCode::unsupported,
                fmt::format("shape: {} dimensions ({}); recordings are [time], [time, channel] or "
                            "[channel, time]",
                            metadata.key_axes, fmt::join(shape, ", ")));
  }
  const auto told = raw.order ? raw.order : named_order(metadata.dimension_names);
  info.order = told.value_or(SampleOrder::time_major);
  const bool flat = shape.size() == 1;
  const bool time_first = flat || info.order == SampleOrder::time_major;
  const std::int64_t frames = shape[time_first ? 0 : 1];
  const std::int64_t channels = flat ? 1 : shape[time_first ? 1 : 0];
  info.order = time_first ? SampleOrder::time_major : SampleOrder::channel_major;
  in_context("shape: channels", [&] { return checked_channels(channels); });
  if (raw.channels.value_or(channels) != channels ||
      raw.dtype.value_or(metadata.type) != metadata.type || raw.header_bytes) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("raw: the array itself says that it holds {} channels of {}", channels,
                            name(metadata.type)));
  }
  info.segments = {Segment{.frames = frames, .start_s = {}}};
  info.channels.resize(static_cast<std::size_t>(channels));
  if (!told && channels > frames && frames > 0) {
    info.warnings.push_back(
        fmt::format("shape ({}) is read as [time, channel], {} frames of {} channels; raw.order = "
                    "channel_major reads it the other way",
                    fmt::join(shape, ", "), frames, channels));
  }
}
}  // namespace

std::unique_ptr<RecordingSource> open_zarr_array(const fs::path& path, const fs::path& folder,
                                                 const Value& group_attributes,
                                                 const OpenOptions& options) {
  ZarrArray array(folder);
  RecordingInfo info = start_zarr_info(path);
  const auto& metadata = array.metadata();
  info.stored = metadata.type;
  const auto raw = in_context(folder.string(), [&] { return RawOptions::from(options.raw); });
  in_context(folder.string(), [&] {
    describe_axes(metadata, raw, info);
    info.rate = rate_of(metadata.attributes, group_attributes, raw);
  });
  reading_document(folder.string(), [&] {
    info.channels = describe(metadata.attributes, group_attributes, raw, info.channel_count());
  });
  for (auto& warning : info.warnings) {
    warning = fmt::format("{}: {}", folder.string(), warning);
  }
  note_missing_chunks(array, info);
  std::vector<ZarrArray> arrays;
  arrays.push_back(std::move(array));
  return make_zarr_source(std::move(arrays), std::move(info));
}

}  // namespace weir::formats
