#include "weir/op/tuned_launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "weir/compute/tuner.h"

namespace weir::op {
namespace {
/// Items that take several times as long as launching them.
constexpr std::int64_t kWorthMeasuring = std::int64_t{1} << 18;

/// 1, 2, 4, 8 and 16, `usual` in the front.
template <std::size_t kWays>
std::array<std::int64_t, kWays> rows_with(std::int64_t usual) {
  std::array<std::int64_t, kWays> rows{};
  for (std::size_t i = 0; i < kWays; ++i) {
    rows[i] = std::int64_t{1} << i;
  }
  const auto found = std::ranges::find(rows, usual);
  WEIR_CHECK(found != rows.end());
  std::rotate(rows.begin(), found, found + 1);
  return rows;
}
}  // namespace

TunedLaunch::TunedLaunch(const DevicePlace& place, compute::Kernel kernel, std::int64_t usual_rows)
    : device_(place.device),
      queue_(place.queue),
      kernel_(std::move(kernel)),
      rows_(rows_with<kWays>(usual_rows)) {
  if (const auto told = compute::Tuner::told()) {
    way_ = *told % kWays;
    chosen_ = true;
  }
}

void TunedLaunch::operator()(std::array<std::int64_t, 2> items,
                             std::span<const compute::Arg> args) {
  const auto launch = [&](std::size_t way) {
    queue_.launch(kernel_, {.items = items, .group = {32, rows_[way]}}, args);
  };
  if (!chosen_ && items[0] * items[1] >= kWorthMeasuring) {
    way_ = compute::Tuner::of_user().choose(
        device_.target(), queue_, kernel_.source->text,
        fmt::format("rows of a group of {}", kernel_.entry->name), kWays, launch);
    chosen_ = true;
  }
  launch(way_);
}

}  // namespace weir::op
