#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <cstring>
#include <optional>
#include <utility>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/dense_source.h"
#include "weir/formats/frame_time.h"
#include "weir/formats/kinds/zarr/zarr_recordings.h"
#include "weir/formats/kinds/zarr/zarr_source.h"
#include "weir/formats/recording_document.h"
#include "weir/formats/spikeinterface_channels.h"
#include "weir/formats/stored_samples.h"
#include "weir/formats/text_encoding.h"

namespace weir::formats {
namespace {
namespace fs = std::filesystem;
constexpr std::int64_t kMostSegments = 100'000;
constexpr std::int64_t kMostPropertyBytes = std::int64_t{64} << 20;

/// Letters of fixed width, as NumPy stores text: code points or bytes, filled up with zeros.
std::vector<std::string> texts_of(const ZarrArray& array, const std::vector<std::byte>& values) {
  const auto& metadata = array.metadata();
  const auto width = static_cast<std::size_t>(metadata.shape[1]);
  std::vector<std::string> texts;
  const bool points = metadata.type == StoredType::uint32;
  const std::size_t bytes = width * (points ? 4 : 1);
  for (std::size_t at = 0; at + bytes <= values.size(); at += bytes) {
    std::string text;
    if (points) {
      text = from_utf32({reinterpret_cast<const char*>(values.data()) + at, bytes});
    } else {
      text = to_utf8({reinterpret_cast<const char*>(values.data()) + at, bytes});
    }
    text.resize(text.find_last_not_of('\0') + 1);
    texts.push_back(std::move(text));
  }
  return texts;
}

/// One entry a channel: texts, or numbers as texts.
struct Property {
  std::vector<double> numbers;
  std::vector<std::string> texts;
};

Property read_property(const fs::path& folder, std::int64_t channels) {
  const ZarrArray array(folder);
  const auto& metadata = array.metadata();
  const bool text = metadata.key_axes < metadata.shape.size();
  if (metadata.shape[0] != channels || metadata.key_axes != 1) {
    throw Error(ErrorCode::corrupt_data, fmt::format("has shape ({}) where there are {} channels",
                                                     fmt::join(metadata.shape, ", "), channels));
  }
  const auto values = array.read_rows(kMostPropertyBytes);
  if (text) {
    return {{}, texts_of(array, values)};
  }
  auto numbers = property_numbers(metadata.type, values);
  auto texts = number_texts(numbers);
  return {std::move(numbers), std::move(texts)};
}

/// A property that is there and can be read; that one cannot is told.
std::optional<Property> property(const fs::path& path, RecordingInfo& info) {
  if (!is_zarr_node(path)) {
    return std::nullopt;
  }
  try {
    return read_property(path, info.channel_count());
  } catch (const Error& error) {
    info.warnings.push_back(
        fmt::format("{}: the property is not used: {}", path.string(), error.text()));
    return std::nullopt;
  }
}

SpikeinterfaceProperties read_properties(const fs::path& path, RecordingInfo& info) {
  SpikeinterfaceProperties properties;
  const auto of_numbers = [&](const char* key) -> std::optional<std::vector<double>> {
    const auto found = property(path / "properties" / key, info);
    if (!found || std::ssize(found->numbers) != info.channel_count()) {
      return std::nullopt;
    }
    return found->numbers;
  };
  properties.gains = of_numbers("gain_to_uV");
  properties.offsets = of_numbers("offset_to_uV");
  if (auto groups = property(path / "properties" / "group", info)) {
    properties.groups = std::move(groups->texts);
  }
  return properties;
}

std::string segment_of(std::int64_t index) {
  return fmt::format("traces_seg{}", index);
}

/// The start of every segment, where one is known: `t_starts`, where NaN stands for none.
std::vector<double> read_starts(const fs::path& path, std::int64_t segments) {
  const fs::path folder = path / "t_starts";
  std::vector<double> starts(static_cast<std::size_t>(segments), 0.0);
  if (!is_zarr_node(folder)) {
    return starts;
  }
  const ZarrArray array(folder);
  if (array.metadata().type != StoredType::float64 ||
      array.metadata().shape != std::vector<std::int64_t>{segments}) {
    throw Error(ErrorCode::corrupt_data,
                fmt::format("t_starts: is no number for each of {} segments", segments));
  }
  const auto values = array.read_rows(kMostPropertyBytes);
  std::memcpy(starts.data(), values.data(), values.size());
  for (double& start : starts) {
    start = std::isnan(start) ? 0 : start;
  }
  return starts;
}

/// Times of single samples are not read, but for the first.
double first_time(const fs::path& folder, std::int64_t frames, RecordingInfo& info) {
  const ZarrArray times(folder);
  const auto& metadata = times.metadata();
  if (metadata.type != StoredType::float64 || metadata.shape != std::vector<std::int64_t>{frames}) {
    throw Error(ErrorCode::corrupt_data,
                fmt::format("{}: is no time for each of {} frames", folder.string(), frames));
  }
  info.warnings.push_back(fmt::format(
      "{}: times of single samples are not read; the segment starts with the first of them, and "
      "time goes by the rate",
      folder.string()));
  double first = 0;
  if (frames > 0) {
    if (metadata.chunk_bytes() > kMostPropertyBytes) {
      throw Error(ErrorCode::unsupported,
                  fmt::format("{}: chunks of {} bytes", folder.string(), metadata.chunk_bytes()));
    }
    std::vector<std::byte> chunk(static_cast<std::size_t>(metadata.chunk_bytes()));
    times.read_chunk({0}, chunk);
    std::memcpy(&first, chunk.data(), sizeof first);
  }
  return first;
}

std::vector<ZarrArray> open_segments(const fs::path& path, std::int64_t count,
                                     RecordingInfo& info) {
  std::vector<ZarrArray> arrays;
  const auto starts = read_starts(path, count);
  for (std::int64_t i = 0; i < count; ++i) {
    arrays.emplace_back(path / segment_of(i));
    const auto& metadata = arrays.back().metadata();
    if (metadata.shape.size() != 2 || metadata.key_axes != 2 ||
        metadata.shape[1] != arrays[0].metadata().shape[1] ||
        metadata.type != arrays[0].metadata().type) {
      throw Error(ErrorCode::corrupt_data,
                  fmt::format("{}: {} of shape ({}) does not fit the other segments", segment_of(i),
                              name(metadata.type), fmt::join(metadata.shape, ", ")));
    }
    const fs::path times = path / fmt::format("times_seg{}", i);
    const double start = is_zarr_node(times) ? first_time(times, metadata.shape[0], info)
                                             : starts[static_cast<std::size_t>(i)];
    info.segments.push_back(
        {.frames = metadata.shape[0],
         .start_s = in_context("t_starts", [&] { return exact_seconds(start); }),
         .index = i});
    note_missing_chunks(arrays.back(), info);
  }
  return arrays;
}

void keep_annotations(const Value& attributes, RecordingInfo& info) {
  const Value* annotations = attributes.find("annotations");
  if (annotations == nullptr || !annotations->is_object()) {
    return;
  }
  for (const auto& [key, value] : annotations->as_object()) {
    if (!value.is_null()) {
      info.metadata[key] = value.is_string() ? value.as_string() : to_json(value);
    }
  }
}
}  // namespace

bool is_spikeinterface_store(const ZarrNode& node) {
  return !node.array && node.attributes.find("sampling_frequency") != nullptr &&
         node.attributes.find("num_segments") != nullptr;
}

std::unique_ptr<RecordingSource> open_spikeinterface_store(const fs::path& path,
                                                           const ZarrNode& node) {
  RecordingInfo info = start_zarr_info(path);
  std::vector<ZarrArray> arrays;
  reading_document(path.string(), [&] {
    const Value& attributes = node.attributes;
    info.rate = in_context("sampling_frequency", [&] {
      return SampleRate::from_hz(attributes.at("sampling_frequency").as_number());
    });
    const std::int64_t count =
        in_context("num_segments", [&] { return attributes.at("num_segments").as_integer(); });
    if (count < 1 || count > kMostSegments) {
      throw Error(ErrorCode::corrupt_data, fmt::format("num_segments: {} cannot be", count));
    }
    if (is_zarr_node(path / "spikes") && !is_zarr_node(path / segment_of(0))) {
      throw Error(ErrorCode::unsupported, "holds a sorting, no recording");
    }
    arrays = open_segments(path, count, info);
    const std::int64_t channels =
        in_context("channels", [&] { return checked_channels(arrays[0].metadata().shape[1]); });
    info.stored = arrays[0].metadata().type;
    info.channels = make_channels(channels);
  });
  if (const auto ids = property(path / "channel_ids", info)) {
    for (std::size_t i = 0; i < info.channels.size(); ++i) {
      info.channels[i].name = ids->texts[i];
    }
  }
  const Value* probe = node.attributes.find("probegroup");
  probe = probe != nullptr ? probe : node.attributes.find("probe");  // Before version 0.105.
  const bool given = probe != nullptr && !probe->is_null();
  describe_channels(read_properties(path, info), given ? probe : nullptr,
                    path.string() + ": probegroup", info);
  keep_annotations(node.attributes, info);
  return make_zarr_source(std::move(arrays), std::move(info));
}

}  // namespace weir::formats
