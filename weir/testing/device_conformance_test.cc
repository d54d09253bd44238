#include "weir/testing/device_conformance.h"

#include <gtest/gtest.h>

#include "weir/testing/fake_operators.h"

namespace weir::testing {
namespace {

TEST(DeviceConformance, SaysWhichStepsStayOnTheProcessor) {
  Value params = Value::object();
  params.set("frames", 5);
  const auto echo = fake_echo();
  const StreamInfo stream = make_stream(30'000, 4, 300);
  const BoundStep bound = bind(*echo, params, stream);
  const Buffer data = formed(bound, stream, noise(300, 4, 1));
  const auto device = compute::open_device("host");
  expect_error(ErrorCode::unsupported, "stays on the CPU",
               [&] { run_on_device(bound, data.block(), *device); });
}

}  // namespace
}  // namespace weir::testing
