#include <gtest/gtest.h>

#include <limits>

#include "weir/signal/channel_matrix.h"
#include "weir/testing/device_conformance.h"
#include "weir/testing/probe.h"
#include "weir/testing/required.h"

namespace weir::signal {
namespace {
using testing::Samples;

/// Conformance meets one panel of outputs; these have several, the last one short.
class ChannelMatrixDevice : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { device_ = testing::device_or_skip(GetParam()); }

  void check(std::int64_t channels, std::int64_t reach) {
    const StreamInfo stream = testing::make_stream(30'000, channels, 150);
    ChannelMatrix matrix{channels, {}, stream.channels};
    for (std::int64_t k = 0; k < channels; ++k) {
      std::vector<MatrixTerm> row;
      for (std::int64_t c = 0; c < channels; ++c) {
        if (std::abs(c - k) <= reach) {
          row.push_back({c, 1.0 / static_cast<double>(1 + (7 * c + k) % 13)});
        }
      }
      matrix.rows.push_back(std::move(row));
    }
    const testing::BoundStep bound{stream, channel_matrix_step(std::move(matrix), stream, {})};
    Samples in = testing::noise(150, channels, 10);
    in(3, 0) = std::numeric_limits<float>::quiet_NaN();
    in(140, channels - 1) = -std::numeric_limits<float>::infinity();
    const Buffer data = testing::formed(bound, stream, in);
    const auto on_cpu = testing::run_bound(bound, data.block());
    const auto whole = testing::run_on_device(bound, data.block(), *device_);
    EXPECT_LE(testing::relative_error(whole.samples, on_cpu.samples), 1e-6);
    const auto cut = testing::run_on_device(bound, data.block(), *device_,
                                            {.frames = {1, 129}, .aligned = true});
    EXPECT_EQ(testing::difference(cut, whole), "");
  }

  std::shared_ptr<compute::Device> device_;
};

TEST_P(ChannelMatrixDevice, MultipliesByAFullMatrix) {
  check(150, 150);
}

TEST_P(ChannelMatrixDevice, MultipliesByABand) {
  check(150, 40);
}

TEST_P(ChannelMatrixDevice, MultipliesByFewTerms) {
  check(150, 2);
}

INSTANTIATE_TEST_SUITE_P(Targets, ChannelMatrixDevice, ::testing::Values("host", "opencl", "cuda"));
}  // namespace
}  // namespace weir::signal
