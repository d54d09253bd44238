#include "weir/testing/device_conformance.h"

#include <gtest/gtest.h>

#include "weir/signal/ops/iir/iir.h"
#include "weir/signal/ops/median/median.h"
#include "weir/signal/ops/rectify/rectify.h"

namespace weir::testing {
namespace {

StreamInfo unequal_gains() {
  StreamInfo stream = make_stream(30'000, 4, 300);
  stream.channels[1].gain = -0.195;
  return stream;
}

Value object(std::initializer_list<std::pair<std::string, Value>> fields) {
  Value value = Value::object();
  for (const auto& [name, field] : fields) {
    value.set(name, field);
  }
  return value;
}

Value band_pass(const std::string& precision, const std::string& start) {
  Value cutoff = Value::array();
  cutoff.push_back(300.0);
  cutoff.push_back(6000.0);
  return object(
      {{"band", "bandpass"}, {"cutoff_hz", cutoff}, {"precision", precision}, {"start", start}});
}

TEST(DeviceConformance, RectifyAgreesToTheBit) {
  for (const char* mode : {"full", "half"}) {
    check_device(signal::rectify_operator(), object({{"mode", mode}}), unequal_gains(), 0);
  }
}

TEST(DeviceConformance, IirAgreesInBothPrecisionsAndStarts) {
  for (const char* start : {"rest", "steady"}) {
    check_device(signal::iir_operator(), band_pass("float32", start), unequal_gains(), 1e-6);
    check_device(signal::iir_operator(), band_pass("float64", start), unequal_gains(), 1e-6);
  }
}

TEST(DeviceConformance, MedianAgreesToTheBit) {
  for (const std::int64_t width : {1, 9, 33}) {
    check_device(signal::median_operator(), object({{"width", width}}), unequal_gains(), 0);
  }
}

TEST(DeviceConformance, ZeroPhaseStaysOnTheProcessor) {
  Value params = band_pass("auto", "rest");
  params.set("mode", "zero_phase");
  const StreamInfo stream = unequal_gains();
  const auto device = compute::open_device("host");
  expect_error(ErrorCode::unsupported, "stays on the CPU", [&] {
    run_on_device(signal::iir_operator(), params, stream, noise(300, 4, 1), *device);
  });
}

}  // namespace
}  // namespace weir::testing
