#include "weir/signal/ops/comb/comb.h"

#include <gtest/gtest.h>

#include <cmath>

#include "weir/testing/conformance.h"

namespace weir::signal {
namespace {
using testing::Samples;

Value comb(double freq_hz, double q, const char* mode = "forward") {
  Value params = Value::object();
  params.set("freq_hz", freq_hz);
  params.set("q", q);
  params.set("mode", mode);
  return params;
}

Value with(Value params, std::string_view field, Value value) {
  params.set(field, std::move(value));
  return params;
}

Samples golden(const std::string& name) {
  return testing::load_npy("weir/signal/ops/comb/golden/" + name + ".npy");
}

Samples run(const Value& params, const Samples& in) {
  return testing::run_operator(comb_operator(), params,
                               testing::make_stream(1000, in.channels, in.frames), in)
      .samples;
}

std::unique_ptr<op::Step> plan(const Value& params, double rate_hz = 1000) {
  op::StepContext context;
  context.in = testing::make_stream(rate_hz, 1, 1000);
  return comb_operator().plan(params, context);
}

TEST(Comb, KeepsItsPromises) {
  const auto stream = testing::make_stream(1000, 3, 2000);
  testing::check_operator(comb_operator(), comb(50, 5), stream);
  testing::check_operator(comb_operator(), with(comb(60, 5, "zero_phase"), "harmonics", 3), stream);
}

TEST(Comb, AgreesWithACascadeOfSciPysNotches) {
  const Samples in = golden("noise");
  testing::expect_close(run(comb(50, 30), in), golden("forward"), 2e-6);
  testing::expect_close(run(with(comb(60, 10, "zero_phase"), "harmonics", 4), in),
                        golden("zero_phase"), 4e-6);
}

// scipy.signal.iircomb is one section of order rate / frequency; near the teeth both are alike.
TEST(Comb, RespondsAsIircombNearItsTeeth) {
  Comb filter;
  filter.freq_hz = 50;
  filter.q = 50;
  const Sections sections = design(filter, 1000);
  ASSERT_EQ(sections.size(), 9U);
  const Samples expected = golden("iircomb");  // [9 teeth, 4 distances]
  const double distances[] = {0, 0.25, 0.5, 10};
  for (std::int64_t tooth = 0; tooth < 9; ++tooth) {
    for (std::int64_t i = 0; i < 4; ++i) {
      const double hz = 50.0 * static_cast<double>(tooth + 1) + distances[i];
      EXPECT_NEAR(std::abs(response(sections, hz, 1000)), expected(tooth, i), 0.02) << hz;
    }
  }
}

TEST(Comb, SaysHowManyNotchesItHas) {
  EXPECT_EQ(plan(comb(50, 30))->decisions().front(), "9 notches, 50 to 450 Hz");
  EXPECT_EQ(plan(with(comb(60, 30), "harmonics", 5), 30000)->decisions().front(),
            "5 notches, 60 to 300 Hz");
}

TEST(Comb, NamesTheFieldThatIsWrong) {
  const auto wrong = [](const std::string& part, const Value& params, double rate_hz = 1000) {
    testing::expect_error(ErrorCode::invalid_spec, part, [&] { plan(params, rate_hz); });
  };
  wrong("freq_hz: 500 Hz is not between 0 and Nyquist (500 Hz)", comb(500, 30));
  wrong("freq_hz: is required", Value::object());
  wrong("harmonics: 249 multiples of 60 Hz lie below Nyquist (15000 Hz)", comb(60, 30), 30000);
  wrong("harmonics: 10 of 50 Hz end at 500 Hz", with(comb(50, 30), "harmonics", 10));
  wrong("harmonics", with(comb(50, 30), "harmonics", 0));
  wrong("q: 0.1 makes a bandwidth of 500 Hz", comb(50, 0.1));
}

}  // namespace
}  // namespace weir::signal
