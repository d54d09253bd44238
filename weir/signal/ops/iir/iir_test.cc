#include "weir/signal/ops/iir/iir.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "weir/op/run_step.h"
#include "weir/signal/ops/iir/iir_error.h"
#include "weir/testing/conformance.h"

namespace weir::signal {
namespace {
using testing::Samples;

Value list(std::initializer_list<double> numbers) {
  Value values = Value::array();
  for (const double number : numbers) {
    values.push_back(number);
  }
  return values;
}

Value filter(const char* band, std::initializer_list<double> edges, std::int64_t order = 5,
             const char* mode = "forward") {
  Value params = Value::object();
  params.set("band", band);
  params.set("cutoff_hz", list(edges));
  params.set("order", order);
  params.set("mode", mode);
  return params;
}

Value explicit_filter(const std::vector<std::vector<double>>& rows, const char* mode = "forward") {
  Value params = Value::object();
  Value sos = Value::array();
  for (const auto& row : rows) {
    Value numbers = Value::array();
    for (const double number : row) {
      numbers.push_back(number);
    }
    sos.push_back(numbers);
  }
  params.set("sos", sos);
  params.set("mode", mode);
  return params;
}

Value with(Value params, std::string_view field, Value value) {
  params.set(field, std::move(value));
  return params;
}

Samples golden(const std::string& name) {
  return testing::load_npy("weir/signal/ops/iir/golden/" + name + ".npy");
}

Samples column(const Samples& samples, std::int64_t channel, std::int64_t first,
               std::int64_t count) {
  return testing::make_samples(
      count, 1, [&](std::int64_t t, std::int64_t) { return samples(first + t, channel); });
}

Samples run(const Value& params, const Samples& in, double rate_hz = 30000,
            const testing::Cuts& cuts = {}) {
  return testing::run_operator(iir_operator(), params,
                               testing::make_stream(rate_hz, in.channels, in.frames), in, cuts)
      .samples;
}

std::unique_ptr<op::Step> plan(const Value& params, double rate_hz = 30000,
                               std::int64_t channels = 8, std::int64_t frames = 100'000) {
  op::StepContext context;
  context.in = testing::make_stream(rate_hz, channels, frames);
  return iir_operator().plan(params, context);
}

const Value kSpikes = filter("bandpass", {300, 6000});

TEST(Iir, KeepsItsPromises) {
  const auto stream = testing::make_stream(30000, 5, 3000);
  testing::check_operator(iir_operator(), kSpikes, stream);
  testing::check_operator(iir_operator(), with(kSpikes, "precision", "float64"), stream);
  testing::check_operator(iir_operator(), with(kSpikes, "start", "steady"), stream);
  testing::check_operator(iir_operator(), filter("lowpass", {3000}, 1), stream);
  testing::check_operator(iir_operator(), filter("bandpass", {300, 6000}, 9), stream);
}

TEST(Iir, KeepsItsPromisesInZeroPhase) {
  const auto stream = testing::make_stream(30000, 5, 3000);
  testing::check_operator(iir_operator(), with(kSpikes, "mode", "zero_phase"), stream);
  testing::check_operator(
      iir_operator(), with(with(kSpikes, "mode", "zero_phase"), "precision", "float64"), stream);
  testing::check_operator(iir_operator(), with(kSpikes, "mode", "zero_phase_exact"), stream);
  const Value notched =
      with(with(filter("lowpass", {3000}, 5), "family", "elliptic"), "ripple_db", 1);
  testing::check_operator(iir_operator(), with(notched, "attenuation_db", 60), stream);
}

TEST(Iir, AgreesWithSciPyForward) {
  struct Case {
    const char* band;
    std::vector<double> edges_hz;
    std::int64_t order;
    double rate_hz;
  };
  std::vector<Case> cases = {{"bandpass", {300, 6000}, 5, 30000}, {"bandpass", {1, 300}, 5, 30000},
                             {"bandpass", {0.5, 100}, 5, 30000},  {"bandpass", {0.1, 10}, 5, 30000},
                             {"bandpass", {5, 200}, 5, 30000},    {"bandpass", {20, 450}, 4, 2000},
                             {"bandstop", {59, 61}, 2, 30000},    {"bandstop", {45, 55}, 4, 1000},
                             {"bandstop", {100, 9000}, 3, 30000}};
  const auto every_order = [&](const char* band, std::vector<double> edges, double rate) {
    for (std::int64_t order = 1; order <= 8; ++order) {
      cases.push_back({band, edges, order, rate});
    }
  };
  every_order("lowpass", {300}, 30000);
  every_order("highpass", {0.3}, 30000);
  every_order("bandpass", {8, 13}, 256);
  every_order("bandstop", {2000, 9100}, 30000);
  const Samples expected = golden("forward");
  const Samples in = column(golden("noise"), 0, 0, expected.frames);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    SCOPED_TRACE(std::string(cases[i].band) + " " + std::to_string(cases[i].edges_hz[0]) +
                 " order " + std::to_string(cases[i].order));
    Value params = filter(cases[i].band, {}, cases[i].order);
    Value edges = Value::array();
    for (const double edge : cases[i].edges_hz) {
      edges.push_back(edge);
    }
    params.set("cutoff_hz", edges);
    testing::expect_close(run(params, in, cases[i].rate_hz),
                          column(expected, static_cast<std::int64_t>(i), 0, expected.frames), 1e-6);
  }
}

// Edges as in golden/make.py; one column for each family.
TEST(Iir, AgreesWithSciPyInEveryFamily) {
  Value families[4] = {filter("bandpass", {300, 6000}), filter("bandstop", {55, 65}, 3),
                       filter("highpass", {300}, 7), filter("lowpass", {3000}, 4)};
  families[0] = with(with(families[0], "family", "cheby1"), "ripple_db", 0.5);
  families[1] = with(with(families[1], "family", "cheby2"), "attenuation_db", 40);
  families[2] = with(families[2], "family", "elliptic");
  families[2] = with(with(families[2], "ripple_db", 0.1), "attenuation_db", 80);
  families[3] = with(families[3], "family", "bessel");
  const Samples in = golden("noise");
  const Samples expected = golden("families_zero_phase");
  for (std::int64_t i = 0; i < 4; ++i) {
    const Samples out = run(with(families[i], "mode", "zero_phase"), column(in, 0, 0, in.frames));
    testing::expect_close(out, column(expected, i, 0, in.frames), 2e-6);
  }
}

TEST(Iir, StartsSteadyAsSciPyDoes) {
  testing::expect_close(run(with(kSpikes, "start", "steady"), golden("noise")), golden("steady"),
                        1e-6);
}

TEST(Iir, AgreesWithSosfiltfiltEdgesIncluded) {
  const Samples in = golden("noise");
  const Samples expected = golden("zero_phase");
  for (const char* mode : {"zero_phase", "zero_phase_exact"}) {
    for (const char* precision : {"float32", "float64"}) {
      SCOPED_TRACE(std::string(mode) + " " + precision);
      const Value params = with(with(kSpikes, "mode", mode), "precision", precision);
      testing::expect_close(run(params, in), expected, 1e-6);
      testing::expect_close(run(params, in, 30000, {.frames = {1, 700, 3}}), expected, 1e-6);
    }
  }
}

TEST(Iir, TakesExplicitSections) {
  // scipy.signal.iirnotch(60, 30, 30000)
  const double b0 = 0.999790604342423;
  const double a1 = -1.9994233301584798;
  const double a2 = 0.9995812086848459;
  const Value params = explicit_filter({{b0, a1, b0, 1, a1, a2}}, "zero_phase");
  testing::expect_close(run(params, golden("noise")), golden("notch"), 1e-6);
}

// Case A4: the shortest segments SciPy takes, and one sample less.
TEST(Iir, TakesSegmentsLongerThanItsExtension) {
  const Samples in = golden("noise");
  const Samples expected = golden("shortest");
  const std::pair<Value, std::int64_t> cases[] = {
      {filter("bandpass", {300, 6000}, 5, "zero_phase"), 34},
      {filter("bandpass", {300, 6000}, 4, "zero_phase"), 28},
      {filter("highpass", {0.3}, 5, "zero_phase"), 19}};
  std::int64_t first = 0;
  for (const auto& [params, frames] : cases) {
    testing::expect_close(run(params, column(in, 0, 0, frames)), column(expected, 0, first, frames),
                          2e-6);
    first += frames;
    // Case A5: the message states the true minimum.
    testing::expect_error(ErrorCode::invalid_spec,
                          "segment 0 has " + std::to_string(frames - 1) + " samples",
                          [&] { plan(params, 30000, 1, frames - 1); });
    testing::expect_error(ErrorCode::invalid_spec, "at least " + std::to_string(frames),
                          [&] { plan(params, 30000, 1, frames - 1); });
  }
  EXPECT_EQ(run(cases[0].first, {0, 1, {}}).frames, 0);
}

// Case A6: order 5, 49-51 Hz at 44 kHz on a constant: finite, as SciPy's sections, and gone at
// last. (The case says below 1e-6 after 3 s; SciPy's sections get there after 5.5 s.)
TEST(Iir, StaysFiniteWhereTransferFunctionsOverflow) {
  const Samples in = testing::make_samples(264'000, 1, [](auto, auto) { return 0.5; });
  const Samples expected = golden("constant");
  const char* bands[] = {"bandstop", "bandpass"};
  for (std::int64_t i = 0; i < 2; ++i) {
    const Samples out = run(filter(bands[i], {49, 51}), in, 44000);
    for (std::int64_t t = 0; t < expected.frames; ++t) {
      ASSERT_NEAR(out(200 * t, 0), expected(t, i), 0.5e-6) << bands[i] << ", frame " << 200 * t;
    }
    for (std::int64_t t = 242'000; i == 1 && t < in.frames; ++t) {
      ASSERT_LT(std::abs(out(t, 0)), 1e-6) << "frame " << t;
    }
  }
}

// Case A18: mid-scale of unsigned samples is 0 uV, and stays 0 uV.
TEST(Iir, KeepsPhysicalUnits) {
  auto stream = testing::make_stream(30000, 1, 500);
  stream.channels[0].gain = 0.195;
  stream.channels[0].offset = -6389.76;
  const Samples in = testing::make_samples(500, 1, [](auto, auto) { return 32768.0; });
  const auto out = testing::run_operator(iir_operator(), filter("lowpass", {300}), stream, in);
  op::StepContext context;
  context.in = stream;
  const auto step = iir_operator().plan(filter("lowpass", {300}), context);
  const Channel& channel = step->ports()[0].stream.channels[0];
  for (const float count : out.samples.values) {
    EXPECT_NEAR(count * channel.gain + channel.offset, 0, 1e-3);
  }
  EXPECT_EQ(channel.offset, 0);
  EXPECT_EQ(channel.gain, 0.195);
}

/// Case A1's samples: golden/make.py makes the same.
Samples long_noise() {
  std::uint32_t state = 1;
  return testing::make_samples(1'800'000, 1, [&](auto, auto) {
    state = state * 1664525U + 1013904223U;
    return 500.0 + (state >> 8) % 1000;
  });
}

// Case A1: 5-200 Hz over an offset of 1000, in chunks far shorter than the filter rings.
TEST(Iir, ShowsNoSeamsBetweenChunks) {
  const Samples in = long_noise();
  const Samples expected = golden("long");
  const Value params = filter("bandpass", {5, 200}, 5, "zero_phase");
  const Samples whole = run(params, in);
  const Samples some = testing::make_samples(expected.frames, 1, [&](std::int64_t i, auto) {
    const std::int64_t t = i < 256 ? i : i < 512 ? in.frames - 512 + i : (i - 512) * 211;
    return whole(t, 0);
  });
  testing::expect_close(some, expected, 1e-5);
  for (const std::int64_t chunk : {3'000, 30'000, 219'000}) {
    testing::expect_identical(run(params, in, 30000, {.frames = {chunk}}), whole, "chunks");
  }
}

// A cap below what the run-in needs: the same blocks go through a temporary file.
TEST(Iir, SpoolsOverTheCap) {
  const Samples in = testing::noise(20'000, 3, 10);
  for (const char* mode : {"zero_phase", "zero_phase_exact"}) {
    const Value params = with(kSpikes, "mode", mode);
    op::StepContext context;
    context.in = testing::make_stream(30000, 3, in.frames);
    context.memory_bytes = 100'000;
    const auto step = iir_operator().plan(params, context);
    EXPECT_GT(step->temporary_bytes(), 0U);
    EXPECT_NE(step->decisions().back().find("temporary file"), std::string::npos);
    Buffer data(SampleType::float32, in.frames, 3);
    for (std::int64_t t = 0; t < in.frames; ++t) {
      std::copy_n(&in.values[static_cast<std::size_t>(3 * t)], 3, data.as<float>().row(t));
    }
    Samples out{0, 3, {}};
    const auto receive = [&](AnyBlock block, EventList&) {
      for (std::int64_t t = 0; t < block.frames(); ++t) {
        const float* row = block.as<float>().row(t);
        out.values.insert(out.values.end(), row, row + 3);
      }
      out.frames += block.frames();
    };
    op::StepRun run_in_file(*step, {0, 0, 0, 3}, 777);
    for (std::int64_t t = 0; t < in.frames; t += 777) {
      run_in_file.push(data.block().slice(t, std::min<std::int64_t>(777, in.frames - t)), receive);
    }
    run_in_file.finish(receive);
    testing::expect_identical(out, run(params, in), mode);
  }
}

TEST(Iir, SaysWhatItDecided) {
  EXPECT_THAT(plan(kSpikes)->decisions().front(),
              ::testing::HasSubstr("5 sections, float32 state in delta form"));
  EXPECT_THAT(plan(filter("bandpass", {1, 300}))->decisions().front(),
              ::testing::HasSubstr("5 sections, float64 state in delta form"));
  EXPECT_THAT(plan(with(kSpikes, "mode", "zero_phase"))->decisions().back(),
              ::testing::HasSubstr("run-in 860 frames"));
  EXPECT_EQ(plan(kSpikes)->settle_frames(), 860);
  EXPECT_EQ(plan(with(kSpikes, "mode", "zero_phase"))->latency().steady, 5 * 256);
}

// Case A3: 5 frames, then the rest, and any other cut, give the same samples and the same state.
TEST(Iir, CarriesItsStateFromBlockToBlock) {
  const Samples in = golden("noise");
  const auto step = plan(kSpikes, 30000, 3, in.frames);
  Buffer data(SampleType::float32, in.frames, 3);
  for (std::int64_t t = 0; t < in.frames; ++t) {
    std::copy_n(&in.values[static_cast<std::size_t>(3 * t)], 3, data.as<float>().row(t));
  }
  const auto state_after = [&](std::int64_t first) {
    op::StepRun run(*step, {0, 0, 0, 3}, in.frames);
    const auto ignore = [](AnyBlock, EventList&) {};
    run.push(data.block().slice(0, first), ignore);
    run.push(data.block().slice(first, in.frames - first), ignore);
    op::ByteWriter bytes;
    run.save(bytes);
    return bytes.bytes();
  };
  EXPECT_EQ(state_after(5), state_after(0));
  const Samples whole = run(kSpikes, in);
  for (const auto& cuts : {std::vector<std::int64_t>{5, 1995}, {1, 0, 13, 0, 400}}) {
    testing::expect_identical(run(kSpikes, in, 30000, {.frames = cuts}), whole, "cut");
  }
}

TEST(Iir, ErrsInFloat32ByWhatItPredicts) {
  for (const auto& [low, high] : {std::pair{300.0, 6000.0}, {1.0, 300.0}, {0.5, 100.0}}) {
    const double edges[] = {low, high};
    const double predicted =
        float32_error(butterworth(Band::bandpass, 5, edges, 30000), kAssumedDc);
    Samples in = testing::noise(100'000, 1, 1);
    for (float& value : in.values) {
      value += static_cast<float>(kAssumedDc);
    }
    const Value params = filter("bandpass", {low, high});
    const Samples exact = run(with(params, "precision", "float64"), in);
    const Samples quick = run(with(params, "precision", "float32"), in);
    double worst = 0;
    for (std::size_t i = 0; i < exact.values.size(); ++i) {
      worst = std::max(worst, std::abs(double{quick.values[i]} - exact.values[i]));
    }
    worst /= 4.8 + kAssumedDc;
    EXPECT_LT(worst, predicted) << low;
    EXPECT_GT(worst, predicted / 50) << low;
  }
}

TEST(Iir, StopsNaNAtTheSegment) {
  auto stream = testing::make_stream(30000, 2, 100);
  stream.segments.push_back(stream.segments[0]);
  Samples in = testing::noise(200, 2, 10);
  in(50, 1) = std::nanf("");
  const Samples out = testing::run_operator(iir_operator(), kSpikes, stream, in).samples;
  for (std::int64_t frame = 0; frame < 200; ++frame) {
    EXPECT_FALSE(std::isnan(out(frame, 0)));
    EXPECT_EQ(std::isnan(out(frame, 1)), frame >= 50 && frame < 100) << frame;
  }
}

TEST(Iir, NamesTheFieldThatIsWrong) {
  const auto wrong = [](const std::string& part, const Value& params) {
    testing::expect_error(ErrorCode::invalid_spec, part, [&] { plan(params); });
  };
  wrong("cutoff_hz: 16000 Hz is not below Nyquist (15000 Hz)", filter("lowpass", {16000}));
  wrong("cutoff_hz: 15000 Hz is not below Nyquist", filter("bandpass", {300, 15000}));
  wrong("cutoff_hz: the low edge (600 Hz) must be below", filter("bandpass", {600, 300}));
  wrong("cutoff_hz: bandpass takes two", filter("bandpass", {300}));
  wrong("cutoff_hz: lowpass takes one", filter("lowpass", {300, 600}));
  wrong("cutoff_hz: is required", filter("lowpass", {}));
  wrong("band: is required", with(Value::object(), "cutoff_hz", 300));
  wrong("order", filter("lowpass", {300}, 0));
  wrong("family", with(kSpikes, "family", "butterworht"));
  wrong("order: 17 is more than the 16", with(filter("lowpass", {300}, 17), "family", "bessel"));
  wrong("order: 33", filter("lowpass", {300}, 33));
  wrong("ripple_db: is required", with(kSpikes, "family", "chebyshev1"));
  wrong("attenuation_db: is required", with(kSpikes, "family", "cheby2"));
  wrong("attenuation_db: 1 dB is not above the ripple (2 dB)",
        with(with(with(kSpikes, "family", "elliptic"), "ripple_db", 2), "attenuation_db", 1));
  wrong("ripple_db", with(with(kSpikes, "family", "chebyshev1"), "ripple_db", 0));
  wrong("ripple_db: 1 dB given, but a butterworth", with(kSpikes, "ripple_db", 1));
  wrong("attenuation_db", with(kSpikes, "attenuation_db", 40));
  wrong("start: steady", with(with(kSpikes, "mode", "zero_phase"), "start", "steady"));
  wrong("sos: given together with band", with(kSpikes, "sos", explicit_filter({{1}}).at("sos")));
  wrong("sos: given together with ripple_db", with(explicit_filter({{1}}), "ripple_db", 1));
  wrong("sos: row 0 has 5 numbers", explicit_filter({{1, 2, 3, 4, 5}}));
  wrong("sos: row 1 is unstable", explicit_filter({{1, 0, 0, 1, 0, 0}, {1, 0, 0, 1, -2, 1}}));
  wrong("sos: row 0 needs", explicit_filter({{1, 0, 0, 0, 0, 0}}));
  wrong("order: 9: the predicted error of float64 sections",
        with(filter("highpass", {1e-4}, 9), "tolerance", 1e-12));
  wrong("cutof", with(kSpikes, "cutof", 1));
}

TEST(Iir, AcceptsAliases) {
  Value params = Value::object();
  params.set("band", "lowpass");
  params.set("cutoff", 300);
  EXPECT_EQ(iir_operator().canonical(params).at("cutoff_hz"), list({300}));
}
}  // namespace
}  // namespace weir::signal
