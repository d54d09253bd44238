#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir {

/// One channel of a stream. Physical value = count * gain + offset, in `unit`.
struct Channel {
  std::string name;
  std::int64_t source_index = 0;  ///< Position in the file it came from.
  double gain = 1;
  double offset = 0;
  std::string unit;                               ///< "uV", "mV", "V", …; empty for none.
  std::optional<std::array<double, 3>> position;  ///< x, y, z in micrometres.
  std::string group;                              ///< A shank or tetrode; empty for none.

  friend bool operator==(const Channel&, const Channel&) = default;
};

/// Whether the unit is a voltage: V, mV, uV or µV, nV.
bool is_electrical(std::string_view unit) noexcept;

/// `count` channels called ch0, ch1, … with one gain, offset and unit.
std::vector<Channel> make_channels(std::int64_t count, double gain = 1, double offset = 0,
                                   std::string_view unit = "");

/// Indices of the channels that take part in references: the electrical ones, or all when none has
/// a voltage unit.
std::vector<std::int64_t> electrical_channels(const std::vector<Channel>& channels);

}  // namespace weir
