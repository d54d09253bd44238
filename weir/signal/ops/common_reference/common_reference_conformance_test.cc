#include <gtest/gtest.h>

#include "weir/signal/ops/common_reference/common_reference.h"
#include "weir/testing/conformance.h"

namespace weir::signal {
namespace {
Value params(std::initializer_list<Value::Member> members) {
  return Value(Value::Object(members));
}

StreamInfo probe() {
  StreamInfo stream = testing::make_stream(30'000, 37, 3000);
  for (std::size_t c = 0; c < stream.channels.size(); ++c) {
    stream.channels[c].position = {0, 20.0 * static_cast<double>(c), 0};
    stream.channels[c].group = c < 20 ? "a" : "b";
  }
  return stream;
}

TEST(CommonReferenceConformance, KeepsTheMediansPromises) {
  testing::check_operator(common_reference_operator(), params({}), probe(), {.int16_input = true});
}

TEST(CommonReferenceConformance, KeepsTheMeansPromises) {
  testing::check_operator(common_reference_operator(), params({{"statistic", "mean"}}), probe(),
                          {.int16_input = true});
}

TEST(CommonReferenceConformance, KeepsThePromisesOfGroups) {
  for (const char* statistic : {"median", "mean"}) {
    testing::check_operator(common_reference_operator(),
                            params({{"statistic", statistic}, {"scope", "group"}}), probe(),
                            {.int16_input = true});
  }
}
}  // namespace
}  // namespace weir::signal
