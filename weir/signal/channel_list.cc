#include "weir/signal/channel_list.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "weir/core/error.h"

namespace weir::signal {
namespace {
[[noreturn]] void refuse(const std::string& text) {
  throw Error(ErrorCode::invalid_spec, text);
}

std::int64_t find_named(const std::string& wanted, const StreamInfo& in, std::string_view field) {
  std::vector<std::int64_t> found;
  for (std::int64_t c = 0; c < in.channel_count(); ++c) {
    if (in.channels[static_cast<std::size_t>(c)].name == wanted) {
      found.push_back(c);
    }
  }
  if (found.empty()) {
    refuse(fmt::format("{}: no channel is called \"{}\"", field, wanted));
  }
  if (found.size() > 1) {
    refuse(fmt::format("{}: {} channels are called \"{}\" (indices {}); give the index", field,
                       found.size(), wanted, fmt::join(found, ", ")));
  }
  return found[0];
}
}  // namespace

std::int64_t find_channel(const Value& which, const StreamInfo& in, std::string_view field) {
  if (which.is_string()) {
    return find_named(which.as_string(), in, field);
  }
  if (!which.is_number()) {
    refuse(fmt::format("{}: a channel is an index or a name, found {}", field, which.type_name()));
  }
  const std::int64_t index = which.as_integer();
  if (index < 0 || index >= in.channel_count()) {
    refuse(fmt::format("{}: there is no channel {}; the stream has {}", field, index,
                       in.channel_count()));
  }
  return index;
}

std::vector<std::int64_t> find_channels(const std::vector<Value>& list, const StreamInfo& in,
                                        std::string_view field) {
  std::vector<std::int64_t> found;
  found.reserve(list.size());
  for (const auto& which : list) {
    found.push_back(find_channel(which, in, field));
  }
  std::sort(found.begin(), found.end());
  const auto twice = std::adjacent_find(found.begin(), found.end());
  if (twice != found.end()) {
    refuse(fmt::format("{}: channel {} (\"{}\") is given twice", field, *twice,
                       in.channels[static_cast<std::size_t>(*twice)].name));
  }
  return found;
}

Positions positions_of(const std::vector<std::int64_t>& which, const StreamInfo& in,
                       std::string_view field) {
  Positions positions;
  positions.reserve(which.size());
  for (const std::int64_t c : which) {
    const Channel& channel = in.channels[static_cast<std::size_t>(c)];
    if (!channel.position) {
      refuse(
          fmt::format("{} needs positions; channel {} (\"{}\") has none", field, c, channel.name));
    }
    positions.push_back(*channel.position);
  }
  return positions;
}

double distance_um(const std::array<double, 3>& a, const std::array<double, 3>& b) noexcept {
  double sum = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double difference = a[axis] - b[axis];
    sum += difference * difference;
  }
  return std::sqrt(sum);
}

std::vector<std::int64_t> nearest_first(const Positions& positions, std::size_t of) {
  std::vector<std::int64_t> order(positions.size());
  std::iota(order.begin(), order.end(), std::int64_t{0});
  const auto own = static_cast<std::int64_t>(of);
  const auto distance = [&](std::int64_t i) {
    return i == own ? -1 : distance_um(positions[of], positions[static_cast<std::size_t>(i)]);
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::int64_t a, std::int64_t b) { return distance(a) < distance(b); });
  return order;
}

std::vector<std::vector<std::int64_t>> by_group(const std::vector<std::int64_t>& which,
                                                const StreamInfo& in) {
  std::vector<std::string_view> names;
  std::vector<std::vector<std::int64_t>> groups;
  for (const std::int64_t c : which) {
    const std::string_view name = in.channels[static_cast<std::size_t>(c)].group;
    const auto at = std::find(names.begin(), names.end(), name) - names.begin();
    if (at == std::ssize(names)) {
      names.push_back(name);
      groups.emplace_back();
    }
    groups[static_cast<std::size_t>(at)].push_back(c);
  }
  return groups;
}

std::vector<std::int64_t> along_axis(const std::vector<std::int64_t>& which, const StreamInfo& in,
                                     std::size_t axis, std::string_view field) {
  const Positions positions = positions_of(which, in, field);
  std::vector<std::size_t> order(which.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto key = [&](std::size_t i) {
    std::array<double, 3> place = positions[i];
    std::rotate(place.begin(), place.begin() + static_cast<std::ptrdiff_t>(axis), place.end());
    return place;
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  std::vector<std::int64_t> sorted;
  sorted.reserve(which.size());
  for (const std::size_t i : order) {
    sorted.push_back(which[i]);
  }
  return sorted;
}

}  // namespace weir::signal
