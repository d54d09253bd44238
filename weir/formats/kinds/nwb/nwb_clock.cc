#include "weir/formats/kinds/nwb/nwb_clock.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/counter_gaps.h"
#include "weir/formats/frame_time.h"
#include "weir/formats/kinds/nwb/nwb_values.h"

namespace weir::formats {
namespace {
constexpr std::int64_t kFirstTimes = 1000;

[[noreturn]] void refuse(const std::string& text) {
  throw Error(ErrorCode::corrupt_data, text);
}

/// What the median step of the first times says, as a whole number of hertz where that is within a
/// millionth, which times in seconds are seldom exact to.
double rate_of(std::vector<double> times, const std::string& path) {
  std::vector<double> steps;
  for (std::size_t i = 1; i < times.size(); ++i) {
    steps.push_back(times[i] - times[i - 1]);
  }
  std::nth_element(steps.begin(), steps.begin() + std::ssize(steps) / 2, steps.end());
  const double median = steps[steps.size() / 2];
  if (!(median > 0) || !std::isfinite(1 / median)) {
    refuse(fmt::format("{}: the median step of the first {} is {} s", path, times.size(), median));
  }
  // Over all steps like the median: single ones carry the rounding of their times.
  double sum = 0;
  std::int64_t count = 0;
  for (const double step : steps) {
    if (std::abs(step - median) < 0.25 * median) {
      sum += step;
      ++count;
    }
  }
  const double rate = static_cast<double>(count) / sum;
  const double whole = std::round(rate);
  return whole > 0 && std::abs(rate / whole - 1) < 1e-6 ? whole : std::round(rate * 1e6) / 1e6;
}

void read_timestamps(const Hdf5Dataset& stamps, const std::string& path, std::int64_t frames,
                     RecordingInfo& info) {
  if (stamps.array().shape != std::vector<std::int64_t>{frames}) {
    refuse(fmt::format("{}: not as many as the {} frames of the data", path, grouped(frames)));
  }
  if (frames < 2) {
    refuse(fmt::format("{}: {} times tell no rate", path, frames));
  }
  const auto first = nwb_numbers(stamps, path, 0, std::min(frames, kFirstTimes));
  const double rate = rate_of(first, path);
  info.rate = in_context(path, [&] { return SampleRate::from_hz(rate); });
  const double hz = info.rate.hz();
  const auto gaps = in_context(path, [&] {
    return find_counter_gaps(frames, [&](std::int64_t at, std::span<std::int64_t> numbers) {
      const auto times = nwb_numbers(stamps, path, at, std::ssize(numbers));
      for (std::size_t i = 0; i < times.size(); ++i) {
        const double number = (times[i] - first[0]) * hz;
        if (!(std::abs(number) < 4e18)) {
          refuse(fmt::format("time {} is {} s", at + static_cast<std::int64_t>(i), times[i]));
        }
        numbers[i] = std::llround(number);
      }
    });
  });
  std::vector<std::int64_t> starts{0};
  for (const std::int64_t start : gaps.starts) {
    if (start > 0) {
      starts.push_back(start);
    }
  }
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const std::int64_t end = i + 1 < starts.size() ? starts[i + 1] : frames;
    const double time = nwb_numbers(stamps, path, starts[i], 1)[0];
    info.segments.push_back(
        Segment{.frames = end - starts[i],
                .start_s = in_context(path, [&] { return exact_seconds(time); }),
                .first_frame = 0,
                .index = static_cast<std::int64_t>(i)});
  }
  if (gaps.backward > 0) {
    info.warnings.push_back(fmt::format("{}: {} steps lead back or nowhere", path, gaps.backward));
  }
}
}  // namespace

void read_nwb_clock(const Hdf5File& file, const std::string& series, std::int64_t frames,
                    RecordingInfo& info) {
  const std::string path = series + "/starting_time";
  const auto start = file.dataset(path, 0);
  if (start == nullptr) {
    const auto stamps = file.dataset(series + "/timestamps", 0);
    if (stamps == nullptr) {
      refuse(fmt::format("{}: has neither starting_time nor timestamps", series));
    }
    read_timestamps(*stamps, series + "/timestamps", frames, info);
    return;
  }
  const auto rate = file.number_attribute(path, "rate");
  if (!rate) {
    refuse(fmt::format("{}: has no rate", path));
  }
  const auto seconds = nwb_numbers(*start, path, 1);
  if (seconds.size() != 1) {
    refuse(fmt::format("{}: is no single number", path));
  }
  in_context(path, [&] {
    try {
      info.rate = SampleRate::from_hz(*rate);
      info.segments = {Segment{.frames = frames, .start_s = exact_seconds(seconds[0])}};
    } catch (const Error& error) {
      refuse(error.text());
    }
  });
}

}  // namespace weir::formats
