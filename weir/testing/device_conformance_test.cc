#include "weir/testing/device_conformance.h"

#include <gtest/gtest.h>

#include "weir/signal/ops/iir/iir.h"

namespace weir::testing {
namespace {

TEST(DeviceConformance, SaysWhichStepsStayOnTheProcessor) {
  Value cutoff = Value::array();
  cutoff.push_back(300.0);
  cutoff.push_back(6000.0);
  Value params = Value::object();
  params.set("band", "bandpass");
  params.set("cutoff_hz", cutoff);
  params.set("mode", "zero_phase");
  const StreamInfo stream = make_stream(30'000, 4, 300);
  const BoundStep bound = bind(signal::iir_operator(), params, stream);
  const Buffer data = formed(bound, stream, noise(300, 4, 1));
  const auto device = compute::open_device("host");
  expect_error(ErrorCode::unsupported, "stays on the CPU",
               [&] { run_on_device(bound, data.block(), *device); });
}

}  // namespace
}  // namespace weir::testing
