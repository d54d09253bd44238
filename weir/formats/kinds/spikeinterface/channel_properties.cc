#include <fmt/format.h>

#include <optional>

#include "weir/core/error.h"
#include "weir/core/probe_document.h"
#include "weir/core/text.h"
#include "weir/formats/input_file.h"
#include "weir/formats/json.h"
#include "weir/formats/kinds/npy/npy_header.h"
#include "weir/formats/kinds/spikeinterface/binary_folder.h"
#include "weir/formats/spikeinterface_channels.h"
#include "weir/formats/stored_samples.h"

namespace weir::formats {
namespace {
namespace fs = std::filesystem;

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
    if (header.shape != std::vector<std::int64_t>{info.channel_count()} || header.big_endian) {
      throw Error(ErrorCode::unsupported, fmt::format("has shape {}", shape_text(header.shape)));
    }
    std::vector<std::byte> bytes(
        static_cast<std::size_t>(stored_bytes(header.type) * info.channel_count()));
    file.read(header.bytes, bytes);
    return property_numbers(header.type, bytes);
  } catch (const Error& error) {
    info.warnings.push_back(
        fmt::format("{}: the property is not used: {}", path.string(), error.text()));
    return std::nullopt;
  }
}

/// The probe's document, or null; that it cannot be read is told.
Value probe_of(const fs::path& path, RecordingInfo& info) {
  if (!stands_at(path)) {
    return nullptr;
  }
  try {
    return parse_json(read_text_file(path.string()));
  } catch (const Error& error) {
    info.warnings.push_back(
        fmt::format("{}: the probe is not used: {}", path.string(), error.text()));
    return nullptr;
  }
}
}  // namespace

void describe_channels(const fs::path& folder, RecordingInfo& info) {
  fs::path path = folder / "probegroup.json";
  if (!stands_at(path)) {
    path = folder / "probe.json";  // Before version 0.105.
  }
  const Value probe = probe_of(path, info);
  SpikeinterfaceProperties properties;
  properties.gains = property(folder, "gain_to_uV", info);
  properties.offsets = property(folder, "offset_to_uV", info);
  if (const auto groups = property(folder, "group", info)) {
    properties.groups = number_texts(*groups);
  }
  describe_channels(properties, probe.is_null() ? nullptr : &probe, path.string(), info);
}

}  // namespace weir::formats
