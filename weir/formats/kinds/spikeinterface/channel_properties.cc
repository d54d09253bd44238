#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/input_file.h"
#include "weir/formats/json.h"
#include "weir/formats/kinds/npy/npy_header.h"
#include "weir/formats/kinds/spikeinterface/binary_folder.h"
#include "weir/formats/probe_document.h"
#include "weir/formats/stored_samples.h"

namespace weir::formats {
namespace {
namespace fs = std::filesystem;

double double_at(StoredType type, const std::byte* bytes) {
  const auto as = [&]<class T>(T) {
    T value{};
    std::memcpy(&value, bytes, sizeof value);
    return static_cast<double>(value);
  };
  switch (type) {
    case StoredType::int64:
      return as(std::int64_t{});
    case StoredType::int32:
      return as(std::int32_t{});
    case StoredType::float32:
      return as(float{});
    case StoredType::float64:
      return as(double{});
    default:
      throw Error(ErrorCode::unsupported, fmt::format("holds {}", name(type)));
  }
}

/// One finite number a channel; empty when there is no such property, or, with a warning, when it
/// cannot be read as that.
std::optional<std::vector<double>> property(const fs::path& folder, const std::string& key,
                                            RecordingInfo& info) {
  const fs::path path = folder / "properties" / (key + ".npy");
  std::error_code failure;
  if (!fs::is_regular_file(path, failure)) {
    return std::nullopt;
  }
  try {
    const InputFile file(path);
    const NpyHeader header = read_npy_header(file, 0, file.size());
    const std::int64_t size = stored_bytes(header.type);
    if (header.shape != std::vector<std::int64_t>{info.channel_count()} || header.big_endian) {
      throw Error(ErrorCode::unsupported, fmt::format("has shape {}", shape_text(header.shape)));
    }
    std::vector<std::byte> bytes(static_cast<std::size_t>(size * info.channel_count()));
    file.read(header.bytes, bytes);
    std::vector<double> values;
    for (std::int64_t i = 0; i < info.channel_count(); ++i) {
      values.push_back(double_at(header.type, bytes.data() + i * size));
      if (!std::isfinite(values.back())) {
        throw Error(ErrorCode::corrupt_data, fmt::format("holds {}", values.back()));
      }
    }
    return values;
  } catch (const Error& error) {
    info.warnings.push_back(
        fmt::format("{}: the property is not used: {}", path.string(), error.text()));
    return std::nullopt;
  }
}

void place(const fs::path& folder, RecordingInfo& info) {
  fs::path path = folder / "probegroup.json";
  if (!stands_at(path)) {
    path = folder / "probe.json";  // Before version 0.105.
  }
  if (!stands_at(path)) {
    return;
  }
  try {
    const auto contacts = read_probe_document(parse_json(read_text_file(path.string())));
    std::size_t probes = 0;
    for (const auto& [channel, contact] : contacts) {
      probes = std::max(probes, contact.probe + 1);
    }
    for (const auto& [index, contact] : contacts) {
      if (index >= info.channel_count()) {
        throw Error(ErrorCode::corrupt_data, fmt::format("a contact is wired to channel {} of {}",
                                                         index, info.channel_count()));
      }
      Channel& channel = info.channels[static_cast<std::size_t>(index)];
      channel.position = contact.position;
      channel.group =
          probes > 1 ? fmt::format("{}:{}", contact.probe, contact.shank) : contact.shank;
    }
  } catch (const Error& error) {
    info.warnings.push_back(
        fmt::format("{}: the probe is not used: {}", path.string(), error.text()));
    for (auto& channel : info.channels) {
      channel.position.reset();
      channel.group.clear();
    }
  }
}
}  // namespace

void describe_channels(const fs::path& folder, RecordingInfo& info) {
  place(folder, info);
  const auto gains = property(folder, "gain_to_uV", info);
  const auto offsets = property(folder, "offset_to_uV", info);
  const auto groups = property(folder, "group", info);
  for (std::size_t i = 0; i < info.channels.size(); ++i) {
    Channel& channel = info.channels[i];
    if (gains) {
      channel.gain = (*gains)[i];
      channel.unit = "uV";
    }
    if (offsets && channel.unit == "uV") {
      channel.offset = (*offsets)[i];
    }
    if (groups && (channel.group.empty() || channel.group == "0:")) {
      channel.group = fmt::format("{}", (*groups)[i]);
    }
  }
}

}  // namespace weir::formats
