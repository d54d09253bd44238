#include "weir/core/channel.h"

#include <fmt/format.h>

#include <numeric>

namespace weir {

bool is_electrical(std::string_view unit) noexcept {
  return unit == "V" || unit == "mV" || unit == "uV" || unit == "\u00b5V" || unit == "\u03bcV" ||
         unit == "nV";
}

std::vector<Channel> make_channels(std::int64_t count, double gain, double offset,
                                   std::string_view unit) {
  std::vector<Channel> channels(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) {
    auto& channel = channels[static_cast<std::size_t>(i)];
    channel.name = fmt::format("ch{}", i);
    channel.source_index = i;
    channel.gain = gain;
    channel.offset = offset;
    channel.unit = unit;
  }
  return channels;
}

std::vector<std::int64_t> electrical_channels(const std::vector<Channel>& channels) {
  std::vector<std::int64_t> chosen;
  for (std::size_t i = 0; i < channels.size(); ++i) {
    if (is_electrical(channels[i].unit)) {
      chosen.push_back(static_cast<std::int64_t>(i));
    }
  }
  if (chosen.empty()) {
    chosen.resize(channels.size());
    std::iota(chosen.begin(), chosen.end(), std::int64_t{0});
  }
  return chosen;
}

}  // namespace weir
