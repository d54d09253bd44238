#include "weir/signal/ops/template_subtract/template_subtract.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "weir/testing/conformance.h"
#include "weir/testing/format_conformance.h"
#include "weir/testing/table_events.h"

namespace weir::signal {
namespace {
using testing::expect_error;
using testing::make_stream;
using testing::Samples;

constexpr double kRate = 1000;

Samples golden(const std::string& name) {
  return testing::load_npy("weir/signal/ops/template_subtract/golden/" + name + ".npy");
}

/// An array in NumPy's format, version 1.0.
std::string npy(const std::string& shape, const std::vector<double>& values,
                const std::string& order = "False") {
  std::string header =
      fmt::format("{{'descr': '<f8', 'fortran_order': {}, 'shape': {}, }}", order, shape);
  header.resize(118, ' ');
  std::string text("\x93NUMPY\x01\x00\x76\x00", 10);
  text += header;
  text.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double));
  return text;
}

class TemplateSubtractTest : public ::testing::Test {
 protected:
  Value with(const std::string& file, Value::Object more = {}) {
    more.insert(more.begin(), {"templates", file});
    return more;
  }
  std::string write(const std::string& bytes) {
    const auto path = folder_.path() / "templates.npy";
    testing::write_string(path, bytes);
    return path.string();
  }
  std::string golden_file() {
    const Samples rows = golden("templates");
    return write(npy(fmt::format("(3, {}, {})", rows.frames / 3, rows.channels),
                     {rows.values.begin(), rows.values.end()}));
  }
  /// One template of so many channels, a wave of 12 samples.
  std::string wave(std::int64_t channels) {
    std::vector<double> values;
    for (std::int64_t t = 0; t < 12; ++t) {
      for (std::int64_t c = 0; c < channels; ++c) {
        values.push_back(static_cast<double>((t - 5) * (t + c % 3)));
      }
    }
    return write(npy(fmt::format("(12, {})", channels), values));
  }
  testing::Outcome subtracted(const Value& params) {
    const Samples in = golden("counts");
    const StreamInfo stream = make_stream(kRate, in.channels, in.frames);
    return run_operator(template_subtract_operator(), params, stream, in, {.frames = {31, 200}},
                        table_events(golden("events"), stream, 5));
  }

 private:
  testing::ScratchFolder folder_;
};

TEST_F(TemplateSubtractTest, Conforms) {
  StreamInfo stream = make_stream(kRate, 37, 3000);
  stream.channels[3].gain = -0.5;
  testing::check_operator(template_subtract_operator(), with(wave(37), {{"pre_s", 0.004}}), stream,
                          {.int16_input = true});
}

TEST_F(TemplateSubtractTest, ConformsWhenFitted) {
  testing::check_operator(template_subtract_operator(),
                          with(wave(37), {{"pre_s", 0.004},
                                          {"align", "peak"},
                                          {"amplitude", "least_squares"},
                                          {"amplitude_max", 2.0},
                                          {"longest_event_s", 0.03}}),
                          make_stream(kRate, 37, 3000));
}

TEST_F(TemplateSubtractTest, EqualsNumPy) {
  const std::string file = golden_file();
  testing::expect_close(subtracted(with(file, {{"pre_s", 0.004}})).samples, golden("fixed"), 1e-6);
  const auto fitted = subtracted(with(file, {{"pre_s", 0.004},
                                             {"amplitude", "least_squares"},
                                             {"amplitude_min", 0.5},
                                             {"amplitude_max", 1.5}}));
  testing::expect_close(fitted.samples, golden("least_squares"), 1e-6);
  EXPECT_GT(fitted.counters[2].count, 0) << fitted.counters[2].what;
}

/// In physical units channel 0 is twice the template and channel 1 is empty, whatever their gains.
TEST_F(TemplateSubtractTest, FitsPhysicalUnits) {
  const std::string file = write(npy("(2, 2)", {3, 3, 5, 5}));
  for (const auto& [first, second] : {std::pair{1.0, 1.0}, {0.01, 1.0}, {1.0, 0.01}}) {
    StreamInfo stream = make_stream(kRate, 2, 40);
    stream.channels[0].gain = first;
    stream.channels[1].gain = second;
    Samples in = testing::make_samples(40, 2, [](auto, auto) { return 0; });
    in(10, 0) = static_cast<float>(6 / first);
    in(11, 0) = static_cast<float>(10 / first);
    const Samples table{1, 5, {10, 11, 10, 11, 0}};
    const auto outcome =
        run_operator(template_subtract_operator(), with(file, {{"amplitude", "least_squares"}}),
                     stream, in, {}, table_events(table, stream, 0));
    EXPECT_NEAR(outcome.samples(10, 0) * first, 3, 1e-4) << first << ", " << second;
    EXPECT_NEAR(outcome.samples(11, 1) * second, -5, 1e-4) << first << ", " << second;
  }
}

TEST_F(TemplateSubtractTest, LeavesWhatHasNoFiniteAmplitude) {
  Samples in = golden("counts");
  const StreamInfo stream = make_stream(kRate, in.channels, in.frames);
  in(100, 1) = std::nanf("");
  const Samples table{2, 5, {98, 100, 98, 100, 0, 300, 301, 300, 301, 0}};
  const auto outcome = run_operator(template_subtract_operator(),
                                    with(golden_file(), {{"amplitude", "least_squares"}}), stream,
                                    in, {}, table_events(table, stream, 0));
  EXPECT_EQ(outcome.samples(99, 0), in(99, 0));
  EXPECT_NE(outcome.samples(301, 0), in(301, 0));
  EXPECT_EQ(outcome.counters[1].count, 1);
}

TEST_F(TemplateSubtractTest, NamesWhatIsWrong) {
  const StreamInfo stream = make_stream(kRate, 2, 100);
  const auto refused = [&](ErrorCode code, const std::string& part, const Value& params) {
    expect_error(code, part, [&] {
      template_subtract_operator().plan(
          params, {.in = stream, .events = op::EventsInput{stream, 0, 0}, .temporary_folder = {}});
    });
  };
  const auto wrong = ErrorCode::invalid_spec;
  refused(ErrorCode::not_found, "no/such/file", with("no/such/file"));
  refused(wrong, "templates: have 3 channels, the signal 2", with(wave(3)));
  refused(wrong, "templates: there are 3; one for all events",
          with(write(npy("(3, 1, 2)", {1, 2, 3, 4, 5, 6}))));
  refused(wrong, "an array of (2) is no", with(write(npy("(2,)", {1, 2}))));
  refused(wrong, "in C order", with(write(npy("(1, 2)", {1, 2}, "True"))));
  refused(wrong, "number 1 is not finite", with(write(npy("(1, 2)", {1, std::nan("")}))));
  refused(ErrorCode::corrupt_data, "200 numbers are announced, 2 are there",
          with(write(npy("(100, 2)", {1, 2}))));
  refused(ErrorCode::corrupt_data, "does not start as a .npy array", with(write("what")));
  refused(wrong, "lengths must lie between 1 and", with(write(npy("(0, 2)", {}))));
  refused(wrong, "pre_s: 20 frames before the event, but templates have 12",
          with(wave(2), {{"pre_s", 0.02}}));
  refused(wrong, "amplitude_min, amplitude_max: belong to", with(wave(2), {{"amplitude_min", 1}}));
  refused(
      wrong, "amplitude_max: 1 lies below amplitude_min (2)",
      with(wave(2), {{"amplitude", "least_squares"}, {"amplitude_min", 2}, {"amplitude_max", 1}}));
}

}  // namespace
}  // namespace weir::signal
