#include "weir/signal/ops/laplacian/laplacian.h"

#include <gtest/gtest.h>

#include "weir/testing/conformance.h"

namespace weir::signal {
namespace {
using testing::expect_error;
using testing::load_npy;
using testing::make_stream;
using testing::Samples;

const std::string kGolden = "weir/signal/ops/laplacian/golden/";

Value members(std::initializer_list<std::pair<const char*, Value>> list) {
  Value object = Value::object();
  for (const auto& [key, value] : list) {
    object.set(key, value);
  }
  return object;
}

StreamInfo line(std::int64_t channels, std::int64_t frames) {
  StreamInfo stream = make_stream(1000, channels, frames);
  for (std::size_t c = 0; c < stream.channels.size(); ++c) {
    stream.channels[c].position = {0, 20.0 * static_cast<double>(c), 0};
  }
  return stream;
}

Samples laplacian_of(const Value& params, const StreamInfo& stream, const Samples& in) {
  return testing::run_operator(laplacian_operator(), params, stream, in).samples;
}

TEST(Laplacian, Conforms) {
  testing::check_operator(laplacian_operator(), Value::object(), line(37, 3000),
                          {.int16_input = true});
}

TEST(Laplacian, EqualsNumPy) {
  const Samples in = load_npy(kGolden + "frames.npy");
  const Samples places = load_npy("weir/signal/ops/laplacian/golden/places.npy");
  StreamInfo stream = make_stream(1000, in.channels, in.frames);
  for (std::int64_t c = 0; c < in.channels; ++c) {
    stream.channels[static_cast<std::size_t>(c)].position = {places(c, 0), places(c, 1), 0};
  }
  testing::expect_close(laplacian_of(Value::object(), stream, in),
                        load_npy(kGolden + "nearest.npy"), 1e-6);
  testing::expect_close(
      laplacian_of(members({{"radius_um", 45}, {"weights", "equal"}}), stream, in),
      load_npy(kGolden + "radius.npy"), 1e-6);
}

TEST(Laplacian, TakesAwayWhatAllShare) {
  const StreamInfo stream = line(9, 1);
  const Samples out = laplacian_of(Value::object(), stream, {1, 9, std::vector<float>(9, 64)});
  for (std::int64_t c = 0; c < 9; ++c) {
    EXPECT_NEAR(out(0, c), 0, 1e-5);
  }
}

TEST(Laplacian, IsTheSecondDifferenceInTheMiddleOfALine) {
  const Samples out = laplacian_of(members({{"nearest", 2}}), line(5, 1), {1, 5, {1, 2, 8, 4, 0}});
  EXPECT_EQ(out(0, 2), 8 - 3);
}

TEST(Laplacian, NamesTheFieldThatIsWrong) {
  StreamInfo stream = line(3, 1);
  const auto refused = [&](const Value& params, const std::string& text) {
    expect_error(ErrorCode::invalid_spec, text, [&] {
      laplacian_operator().plan(params, {.in = stream, .temporary_folder = {}});
    });
  };
  refused(members({{"nearest", 2}, {"radius_um", 30}}), "nearest: give either");
  refused(members({{"nearest", 0}}), "nearest");
  refused(members({{"radius_um", 10}}), "radius_um: channel 0 (\"ch0\") has no neighbour");
  stream.channels[2].position = stream.channels[1].position;
  refused(Value::object(), "input: channel 1 (\"ch1\") stands where channel 2 does");
  stream.channels[1].position.reset();
  refused(Value::object(), "input: the Laplacian needs positions; channel 1");
}
}  // namespace
}  // namespace weir::signal
