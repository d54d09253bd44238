#include "weir/op/device_step.h"

namespace weir::op {

bool DeviceStep::finish(const DeviceBlock&, std::int64_t& frames) {
  frames = 0;
  return true;
}

std::unique_ptr<DeviceStep> Step::device(const DevicePlace&, const StartPoint&) const {
  return nullptr;
}

}  // namespace weir::op
