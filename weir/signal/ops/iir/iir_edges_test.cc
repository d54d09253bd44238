#include "weir/signal/ops/iir/iir_edges.h"

#include <gtest/gtest.h>

#include <cmath>

#include "weir/signal/ops/iir/iir.h"
#include "weir/testing/conformance.h"

namespace weir::signal {
namespace {

struct Case {
  Family family;
  BandLimits limits;
  double rate_hz;
  std::int64_t order;
  std::vector<double> cutoff_hz;
};

/// The rows of golden/make.py's `smallest_filters`.
std::vector<Case> golden_cases() {
  const auto rows = testing::load_npy("weir/signal/ops/iir/golden/smallest.npy");
  std::vector<Case> cases;
  for (std::int64_t i = 0; i < rows.frames; ++i) {
    const auto pair = [&](std::int64_t first) {
      const double low = rows(i, first);
      const double high = rows(i, first + 1);
      return rows(i, 1) == 1 ? std::vector<double>{low} : std::vector<double>{low, high};
    };
    cases.push_back({static_cast<Family>(rows(i, 0)),
                     {pair(2), pair(4), rows(i, 6), rows(i, 7)},
                     rows(i, 8),
                     static_cast<std::int64_t>(rows(i, 9)),
                     pair(10)});
  }
  return cases;
}

TEST(IirEdges, FindTheOrderThatSciPyFinds) {
  const auto cases = golden_cases();
  ASSERT_EQ(cases.size(), 40U);
  for (const Case& each : cases) {
    const auto found = smallest_filter(each.family, each.limits, each.rate_hz);
    EXPECT_EQ(found.order, each.order);
    ASSERT_EQ(found.cutoff_hz.size(), each.cutoff_hz.size());
    for (std::size_t i = 0; i < each.cutoff_hz.size(); ++i) {
      // Of a band-stop SciPy searches for the edges, to 1e-5.
      const double close = found.band == Band::bandstop ? 1e-3 : 1e-6;
      EXPECT_NEAR(found.cutoff_hz[i] / each.cutoff_hz[i], 1, close)
          << "family " << static_cast<int>(each.family) << ", " << each.limits.passband_hz[0];
    }
  }
}

TEST(IirEdges, KeepTheLimits) {
  for (const Case& each : golden_cases()) {
    if (each.order > most_order(each.family)) {
      continue;  // refused, see below
    }
    Iir filter;
    filter.family = each.family;
    filter.passband_hz = each.limits.passband_hz;
    filter.stopband_hz = each.limits.stopband_hz;
    filter.ripple_db = each.limits.ripple_db;
    filter.attenuation_db = each.limits.attenuation_db;
    const Sections sections = design(filter, each.rate_hz);
    const auto level = [&](double hz) {
      return 20 * std::log10(std::abs(response(sections, hz, each.rate_hz)));
    };
    for (const double edge : each.limits.passband_hz) {
      EXPECT_GT(level(edge), -each.limits.ripple_db - 1e-5);
    }
    for (const double edge : each.limits.stopband_hz) {
      EXPECT_LT(level(edge), -each.limits.attenuation_db + 1e-5);
    }
  }
}

Value numbers(std::initializer_list<double> values) {
  Value list = Value::array();
  for (const double value : values) {
    list.push_back(value);
  }
  return list;
}

Value limits(std::initializer_list<double> pass, std::initializer_list<double> stop) {
  Value params = Value::object();
  params.set("passband_hz", numbers(pass));
  params.set("stopband_hz", numbers(stop));
  params.set("ripple_db", 1);
  params.set("attenuation_db", 40);
  return params;
}

Value with(Value params, std::string_view field, Value value) {
  params.set(field, std::move(value));
  return params;
}

std::unique_ptr<op::Step> plan(const Value& params) {
  op::StepContext context;
  context.in = testing::make_stream(30000, 2, 10'000);
  return iir_operator().plan(params, context);
}

TEST(IirEdges, StandInThePlan) {
  const auto elliptic = with(limits({300, 6000}, {200, 7000}), "family", "elliptic");
  EXPECT_EQ(plan(elliptic)->decisions().front(),
            "the smallest elliptic bandpass within the limits: order 5, cutoff_hz 300, 6000");
  EXPECT_EQ(plan(limits({1000}, {2000}))->decisions().front().substr(0, 63),
            "the smallest butterworth lowpass within the limits: order 8, cu");
}

TEST(IirEdges, NameTheFieldThatIsWrong) {
  const auto wrong = [](const std::string& part, const Value& params) {
    testing::expect_error(ErrorCode::invalid_spec, part, [&] { plan(params); });
  };
  const Value good = limits({1000}, {2000});
  wrong("stopband_hz: is required", limits({1000}, {}));
  wrong("passband_hz: is required", limits({}, {1000}));
  wrong("passband_hz: 1 edges beside 2", limits({1000}, {1000, 2000}));
  wrong("passband_hz: the low edge (2000 Hz)", limits({2000, 1000}, {500, 3000}));
  wrong("stopband_hz: 16000 Hz is not below Nyquist", limits({1000}, {16000}));
  wrong("stopband_hz: 1000 Hz leaves no room", limits({1000}, {1000}));
  wrong("stopband_hz: 500 to 1500 Hz leaves no room", limits({1000, 2000}, {500, 1500}));
  wrong("stopband_hz: needs a butterworth filter of order", limits({1000}, {1010}));
  wrong("passband_hz: given together with order", with(good, "order", 4));
  wrong("passband_hz: given together with cutoff_hz", with(good, "cutoff_hz", 1000));
  wrong("passband_hz: a bessel filter", with(good, "family", "bessel"));
  wrong("band: highpass, but the edges are those of a lowpass", with(good, "band", "highpass"));
  wrong("ripple_db: is required", with(good, "ripple_db", Value()));
  wrong("attenuation_db: 1 dB is not above", with(good, "attenuation_db", 1));
}

}  // namespace
}  // namespace weir::signal
