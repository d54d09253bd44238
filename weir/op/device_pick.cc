#include "weir/op/device_pick.h"

#include "weir/core/error.h"
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
  queue_.launch(size_of(in.type) == sizeof(std::int16_t) ? counts_ : floats_,
                compute::over_rows(count_, in.frames),
                {in.buffer, in.first, in.stride, out.buffer, out.first, out.stride, list_,
                 in.frames, count_});
}

}  // namespace weir::op
