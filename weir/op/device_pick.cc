#include "weir/op/device_pick.h"

#include "weir/core/error.h"
#include "weir/op/device_fours.h"
#include "weir/op/device_pick_cl.h"

namespace weir::op {

DevicePick::DevicePick(const DevicePlace& place, const std::vector<std::int32_t>& channels)
    : queue_(place.queue),
      floats_(place.device.kernel(kernels::kDevicePick, "pick_floats")),
      counts_(place.device.kernel(kernels::kDevicePick, "pick_counts")),
      list_(place.device.allocate(place.queue, channels)),
      count_(static_cast<std::int32_t>(channels.size())) {}

void DevicePick::pick(const DeviceBlock& in, const DeviceBlock& out) {
  WEIR_CHECK(in.type == out.type && out.channels == count_ && out.frames == in.frames);
  constexpr std::int64_t kRowsEach = 2;
  const FourTiles tiles(count_, in.frames, kRowsEach);
  const auto fours = static_cast<std::int32_t>((out.first | out.stride) % 4 == 0);
  queue_.launch(size_of(in.type) == sizeof(std::int16_t) ? counts_ : floats_, tiles.range,
                {in.buffer, in.first, in.stride, out.buffer, out.first, out.stride, list_,
                 in.frames, count_, fours, tiles.across, tiles.tile_rows});
}

}  // namespace weir::op
