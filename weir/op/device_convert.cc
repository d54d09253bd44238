#include "weir/op/device_convert.h"

#include "weir/op/device_convert_cl.h"
#include "weir/op/device_fours.h"

namespace weir::op {
namespace {

/// Measured on an H200: half as many bytes come or go at once than of floats, so twice the rows.
constexpr std::int64_t kRowsEach = 4;

std::int32_t is_integer(const DeviceBlock& in) {
  WEIR_CHECK(in.type == SampleType::int16 || in.type == SampleType::float32);
  return in.type == SampleType::int16 ? 1 : 0;
}

std::int32_t channels_of(const DeviceBlock& in) {
  return static_cast<std::int32_t>(in.channels);
}

}  // namespace

DeviceConvert::DeviceConvert(const DevicePlace& place)
    : queue_(place.queue),
      shift_(place.device.kernel(kernels::kDeviceConvert, "shift_rows")),
      physical_(place.device.kernel(kernels::kDeviceConvert, "physical_rows")),
      int16_(place.device.kernel(kernels::kDeviceConvert, "int16_rows")) {}

void DeviceConvert::shift(const DeviceBlock& in, const compute::Buffer& shift,
                          const DeviceBlock& out) {
  WEIR_CHECK(out.type == SampleType::float32);
  const FourTiles tiles(in.channels, in.frames, kRowsEach);
  queue_.launch(
      shift_, tiles.range,
      {in.buffer, in.buffer, is_integer(in), in.first, in.stride, out.buffer, out.first, out.stride,
       shift, in.frames, channels_of(in), in_fours(in, out), tiles.across, tiles.tile_rows});
}

void DeviceConvert::to_physical(const DeviceBlock& in, const compute::Buffer& gain,
                                const compute::Buffer& offset, const DeviceBlock& out) {
  WEIR_CHECK(out.type == SampleType::float32);
  const FourTiles tiles(in.channels, in.frames, kRowsEach);
  queue_.launch(
      physical_, tiles.range,
      {in.buffer, in.buffer, is_integer(in), in.first, in.stride, out.buffer, out.first, out.stride,
       gain, offset, in.frames, channels_of(in), in_fours(in, out), tiles.across, tiles.tile_rows});
}

void DeviceConvert::to_int16(const DeviceBlock& in, const compute::Buffer& scale,
                             const compute::Buffer& clipped, const DeviceBlock& out) {
  WEIR_CHECK(in.type == SampleType::float32 && out.type == SampleType::int16);
  const FourTiles tiles(in.channels, in.frames, kRowsEach);
  queue_.launch(int16_, tiles.range,
                {in.buffer, in.first, in.stride, out.buffer, out.first, out.stride, scale, clipped,
                 in.frames, channels_of(in), in_fours(in, out), tiles.across, tiles.tile_rows});
}

}  // namespace weir::op
