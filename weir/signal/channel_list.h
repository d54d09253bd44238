#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "weir/core/stream.h"
#include "weir/core/value.h"

namespace weir::signal {

/// The channel that an index or a name stands for.
/// Errors: `invalid_spec` naming `field`: neither, unknown, or a name that several channels have.
std::int64_t find_channel(const Value& which, const StreamInfo& in, std::string_view field);

/// Several, ascending. Errors: as `find_channel`, and a channel that is given twice.
std::vector<std::int64_t> find_channels(const std::vector<Value>& list, const StreamInfo& in,
                                        std::string_view field);

/// Places of contacts, in micrometres.
using Positions = std::vector<std::array<double, 3>>;

/// Those of `which`, in their order. Errors: `invalid_spec` naming `field` and the first channel
/// without one.
Positions positions_of(const std::vector<std::int64_t>& which, const StreamInfo& in,
                       std::string_view field);

/// Of the straight line between two of them. Source: the theorem of Pythagoras.
double distance_um(const std::array<double, 3>& a, const std::array<double, 3>& b) noexcept;

/// All places from `of` on outwards: itself first, then the nearest, ties in their order.
std::vector<std::int64_t> nearest_first(const Positions& positions, std::size_t of);

/// `which` by the groups of the channels (shanks), groups and channels in their order.
std::vector<std::vector<std::int64_t>> by_group(const std::vector<std::int64_t>& which,
                                                const StreamInfo& in);

/// The channels along one axis (0, 1, 2 for x, y, z) of their positions, ties by the other axes and
/// then in their order. Errors: as `positions_of`.
std::vector<std::int64_t> along_axis(const std::vector<std::int64_t>& which, const StreamInfo& in,
                                     std::size_t axis, std::string_view field);

}  // namespace weir::signal
