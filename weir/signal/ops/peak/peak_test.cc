#include "weir/signal/ops/peak/peak.h"

#include <gtest/gtest.h>

#include <cmath>

#include "weir/signal/notch_design.h"
#include "weir/testing/conformance.h"

namespace weir::signal {
namespace {
using testing::Samples;

Value peak(double freq_hz, double q, const char* mode = "forward") {
  Value params = Value::object();
  params.set("freq_hz", freq_hz);
  params.set("q", q);
  params.set("mode", mode);
  return params;
}

Samples golden(const std::string& name) {
  return testing::load_npy("weir/signal/ops/peak/golden/" + name + ".npy");
}

Samples run(const Value& params, const Samples& in, double rate_hz) {
  return testing::run_operator(peak_operator(), params,
                               testing::make_stream(rate_hz, in.channels, in.frames), in)
      .samples;
}

TEST(Peak, KeepsItsPromises) {
  const auto stream = testing::make_stream(1000, 3, 2000);
  testing::check_operator(peak_operator(), peak(50, 5), stream);
  testing::check_operator(peak_operator(), peak(50, 5, "zero_phase"), stream);
}

TEST(Peak, AgreesWithSciPy) {
  const Samples in = golden("noise");
  const std::pair<double, double> cases[] = {{50, 30}, {60, 5}, {0.5, 1}, {499, 100}};
  const Samples forward = golden("forward");
  const Samples zero_phase = golden("zero_phase");
  const auto column = [](const Samples& all, std::int64_t i) {
    return testing::make_samples(all.frames, 1, [&](auto t, auto) { return all(t, i); });
  };
  for (std::int64_t i = 0; i < 4; ++i) {
    const auto [freq, q] = cases[i];
    testing::expect_close(run(peak(freq, q), in, 1000), column(forward, i), 2e-6);
    testing::expect_close(run(peak(freq, q, "zero_phase"), in, 1000), column(zero_phase, i), 4e-6);
  }
}

TEST(Peak, KeepsItsFrequencyAndHalfThePowerAtItsEdges) {
  for (const auto& [freq, width, rate] :
       {std::tuple{60.0, 2.0, 30000.0}, {0.1, 0.01, 30000.0}, {14000.0, 500.0, 30000.0}}) {
    const Sections sections{peak_section(freq, width, rate)};
    EXPECT_NEAR(std::abs(response(sections, freq, rate)), 1, 1e-9);
    // The edges lie symmetrically on the warped axis.
    const double centre = std::tan(3.14159265358979323846 * freq / rate);
    const double half = std::tan(3.14159265358979323846 * width / rate) * (1 + centre * centre) / 2;
    const double high = half + std::hypot(half, centre);
    const double edge = std::atan(high) * rate / 3.14159265358979323846;
    EXPECT_NEAR(std::norm(response(sections, edge, rate)), 0.5, 1e-9) << freq;
    EXPECT_LT(std::abs(response(sections, 0, rate)), 1e-9);
  }
}

TEST(Peak, NamesTheFieldThatIsWrong) {
  const auto wrong = [](const std::string& part, const Value& params) {
    testing::expect_error(ErrorCode::invalid_spec, part, [&] {
      op::StepContext context;
      context.in = testing::make_stream(1000, 1, 1000);
      peak_operator().plan(params, context);
    });
  };
  wrong("freq_hz: 500 Hz is not between 0 and Nyquist (500 Hz)", peak(500, 30));
  wrong("freq_hz: is required", Value::object());
  wrong("q: 0.1 makes a bandwidth of 500 Hz", peak(50, 0.1));
  wrong("q: 1000000000000000 leaves poles", peak(50, 1e15));
  wrong("q", peak(50, 0));
}

}  // namespace
}  // namespace weir::signal
