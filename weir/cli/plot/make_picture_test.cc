#include "weir/cli/plot/make_picture.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "weir/cli/plot/envelope.h"
#include "weir/core/buffer.h"
#include "weir/core/error.h"

namespace weir::cli {
namespace {
/// Two segments of a ramp with a gap between them; channel 1 is upside down.
class Ramp final : public RecordingSource {
 public:
  explicit Ramp(Axis axis = Axis::time_s) {
    info_.axis = axis;
    info_.name = "ramp";
    info_.rate = SampleRate::from_hz(1000);
    info_.channels = make_channels(2, 0.5, 0, "uV");
    info_.channels[1].gain = -0.5;
    info_.segments.resize(2);
    info_.segments[0].frames = 1000;
    info_.segments[1].frames = 1000;
    info_.segments[1].start_s = Rational(2);
  }
  const RecordingInfo& info() const noexcept override { return info_; }
  void read(std::int64_t, std::int64_t first, std::span<const std::int64_t> channels,
            Block<float> out) const override {
    for (std::int64_t f = 0; f < out.frames(); ++f) {
      for (std::size_t c = 0; c < channels.size(); ++c) {
        out(f, static_cast<std::int64_t>(c)) = static_cast<float>(first + f);
      }
    }
  }
  bool stored_as_int16() const noexcept override { return false; }
  void read_stored(std::int64_t, std::int64_t, std::span<const std::int64_t>,
                   Block<std::int16_t>) const override {}

 private:
  RecordingInfo info_;
};

void expect_refused(const std::function<void()>& body, const std::string& part) {
  try {
    body();
    FAIL() << "not refused: " << part;
  } catch (const Error& error) {
    EXPECT_NE(error.text().find(part), std::string::npos) << error.text();
  }
}

PictureOptions three_seconds() {
  PictureOptions options;
  options.duration_s = 3;
  options.width = 300;
  return options;
}

Picture picture_of(const PictureOptions& options, const std::vector<EventMark>& events,
                   const Ramp& ramp = Ramp()) {
  return make_picture({{&ramp, {0, 1}, "ramp"}}, options, events);
}

TEST(MakePicture, LeavesAGapEmpty) {
  const auto picture = picture_of(three_seconds(), {});
  ASSERT_EQ(picture.traces.size(), 2U);
  const auto& low = picture.traces[0].low;
  ASSERT_EQ(low.size(), 300U);
  EXPECT_FALSE(std::isnan(low[99]));
  EXPECT_TRUE(std::isnan(low[100]));
  EXPECT_TRUE(std::isnan(low[199]));
  EXPECT_FALSE(std::isnan(low[200]));
  // Gaps take no part in how large the rows are.
  EXPECT_LT(picture.traces[0].high[99], 1);
}

TEST(MakePicture, DrawsTheFirstSpectrumInDecibels) {
  PictureOptions options = three_seconds();
  const Ramp spectra(Axis::frequency_hz);  // power at row k: k / 2
  expect_refused([&] { picture_of(options, {}, spectra); }, "duration_s: the rows of ramp");
  options.duration_s.reset();
  options.width = 1000;
  const auto picture = picture_of(options, {}, spectra);
  EXPECT_EQ(picture.time_label, "frequency (Hz)");
  EXPECT_EQ(picture.scale_bars.at(0).label.substr(picture.scale_bars[0].label.size() - 2), "dB");
  const auto& low = picture.traces[0].low;
  ASSERT_EQ(low.size(), 1000U);
  EXPECT_TRUE(std::isnan(low[0]));
  const float decade = low[1000 - 1] - low[99];
  EXPECT_NEAR((low[990] - low[99]) / decade, 1, 0.01);
  EXPECT_NEAR(low[40] - low[20], low[400] - low[200], 1e-4);  // twice is twice anywhere
  EXPECT_TRUE(std::isnan(picture.traces[1].low[500]));        // no power is negative
  const Ramp timed;
  expect_refused([&] { make_picture({{&spectra, {0}, "a"}, {&timed, {0}, "b"}}, options, {}); },
                 "its rows run along");
}

TEST(MakePicture, DrawsInPhysicalDirection) {
  const auto picture = picture_of(three_seconds(), {});
  EXPECT_LT(picture.traces[0].low[0], picture.traces[0].low[99]);
  EXPECT_GT(picture.traces[1].low[0], picture.traces[1].low[99]);
  for (const auto& trace : picture.traces) {
    EXPECT_LE(trace.low[5], trace.high[5]);
  }
}

TEST(MakePicture, KeepsTheScaleBarTrue) {
  const auto picture = picture_of(three_seconds(), {});
  ASSERT_EQ(picture.scale_bars.size(), 1U);
  // 1000 counts of 0.5 uV climb from one end of a segment to the other.
  const double rows = picture.traces[0].high[99] - picture.traces[0].low[0];
  const double uv = std::stod(picture.scale_bars[0].label) * rows / picture.scale_bars[0].rows;
  EXPECT_NEAR(uv, 999 * 0.5, 0.01);
  EXPECT_NE(picture.scale_bars[0].label.find("µV"), std::string::npos);
}

TEST(MakePicture, MarksEventsOnTheirChannel) {
  const auto picture =
      picture_of(three_seconds(), {{"ch1", 1.5, true}, {"ch1", 99, true}, {"none", 1.5, true}});
  EXPECT_TRUE(picture.traces[0].marks.empty());
  ASSERT_EQ(picture.traces[1].marks.size(), 1U);
  EXPECT_EQ(picture.traces[1].marks[0], 150U);
}

TEST(MakePicture, DrawsRecordingsOverOneAnother) {
  const Ramp ramp;
  auto options = three_seconds();
  options.at_zero = true;
  const auto picture = make_picture({{&ramp, {1, 0}, "before"}, {&ramp, {0}, "after"}}, options,
                                    {{"ch0", 1.5, true}});
  EXPECT_EQ(picture.layers, (std::vector<std::string>{"before", "after"}));
  EXPECT_EQ(picture.rows, 2U);
  ASSERT_EQ(picture.traces.size(), 3U);
  // By name: channel 0 stands in the second row of the first recording.
  EXPECT_EQ(picture.traces[2].row, 1U);
  EXPECT_EQ(picture.traces[2].layer, 1U);
  EXPECT_EQ(picture.traces[2].high[99], picture.traces[1].high[99]);
  EXPECT_EQ(picture.traces[2].low[0], 0);
  EXPECT_TRUE(picture.traces[1].marks.empty());
  EXPECT_EQ(picture.traces[2].marks, std::vector<std::size_t>{150});
}

TEST(MakePicture, RefusesAStartOutsideTheRecording) {
  auto options = three_seconds();
  options.start_s = 3;
  try {
    picture_of(options, {});
    FAIL() << "was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.text(), "start_s: 3 s is not within the recording, 0 s to 3 s");
  }
}

TEST(MakePicture, TakesStepsOfOneTwoAndFive) {
  EXPECT_DOUBLE_EQ(nice_step(0.19), 0.1);
  EXPECT_DOUBLE_EQ(nice_step(2.0), 2);
  EXPECT_DOUBLE_EQ(nice_step(4999), 2000);
  EXPECT_DOUBLE_EQ(nice_step(1000), 1000);
}

TEST(Envelope, IsTheSameForAnyCut) {
  const Buffer whole(SampleType::float32, 100, 3);
  for (std::int64_t f = 0; f < 100; ++f) {
    for (std::int64_t c = 0; c < 3; ++c) {
      whole.as<float>()(f, c) = static_cast<float>((f * 7919 + c * 31) % 101);
    }
  }
  Envelope one(7, 3), cut(7, 3);
  one.add(whole.as<float>(), 0, 100);
  for (std::int64_t at = 0; at < 100; at += 9) {
    cut.add(whole.as<float>().slice(at, std::min<std::int64_t>(9, 100 - at)), at, 100);
  }
  for (std::int64_t c = 0; c < 3; ++c) {
    EXPECT_EQ(one.low(c), cut.low(c));
    EXPECT_EQ(one.high(c), cut.high(c));
  }
}
}  // namespace
}  // namespace weir::cli
