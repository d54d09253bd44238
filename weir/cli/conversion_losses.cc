#include "weir/cli/conversion_losses.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "weir/core/text.h"

namespace weir::cli {
namespace {
/// Keys that say where the recording was found, not what it is.
constexpr std::array<std::string_view, 9> kPlaces{"stream",    "streams",     "member",
                                                  "positions", "nwb_version", "gui_version",
                                                  "type",      "record",      "version"};

std::vector<std::string> metadata_of(const RecordingInfo& info) {
  std::vector<std::string> keys;
  for (const auto& [key, text] : info.metadata) {
    if (std::find(kPlaces.begin(), kPlaces.end(), key) == kPlaces.end() && !text.empty()) {
      keys.push_back(printable(key));
    }
  }
  return keys;
}
}  // namespace

std::vector<std::string> conversion_losses(const pipeline::InputPlan& input) {
  const RecordingInfo& info = input.input.source->info();
  std::vector<std::string> losses;
  if (const auto streams = info.metadata.find("streams"); streams != info.metadata.end()) {
    const auto chosen = info.metadata.find("stream");
    losses.push_back(fmt::format(
        "its other streams, of {}{}; --stream picks one", printable(streams->second),
        chosen == info.metadata.end() ? "" : "; read was " + printable(chosen->second)));
  }
  if (const auto keys = metadata_of(info); !keys.empty()) {
    losses.push_back(fmt::format("metadata: {}", fmt::join(keys, ", ")));
  }
  for (const auto& output : input.outputs) {
    if (info.stored == StoredType::float64 && output.recording.stream.type == SampleType::float32) {
      losses.push_back("what 64-bit floats hold beyond 32 bits");
    }
    if (output.format->not_kept != nullptr) {
      for (auto& phrase : output.format->not_kept(output.recording)) {
        losses.push_back(std::move(phrase));
      }
    }
  }
  return losses;
}

}  // namespace weir::cli
