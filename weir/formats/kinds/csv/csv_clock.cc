#include "weir/formats/kinds/csv/csv_clock.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "weir/core/error.h"
#include "weir/formats/frame_time.h"
#include "weir/formats/simplest_ratio.h"

namespace weir::formats {
namespace {
/// What rounding to double may take from a time, a few times over.
long double rounding(double seconds) {
  return 2 * static_cast<long double>(std::numeric_limits<double>::epsilon()) *
         std::fabs(static_cast<long double>(seconds));
}

long double seconds_to(const CsvTime& time, const SampleRate& rate) {
  return static_cast<long double>(time.sample) *
         static_cast<long double>(rate.exact().denominator()) /
         static_cast<long double>(rate.exact().numerator());
}

struct Span {
  const CsvTime* first = nullptr;
  const CsvTime* last = nullptr;
  std::int64_t samples() const { return first == nullptr ? 0 : last->sample - first->sample; }
};

std::vector<Span> spans_of(const std::vector<CsvTime>& times, std::size_t segments) {
  std::vector<Span> spans(segments);
  for (const auto& time : times) {
    Span& span = spans[time.segment];
    if (span.first == nullptr || time.sample < span.first->sample) {
      span.first = &time;
    }
    if (span.last == nullptr || time.sample > span.last->sample) {
      span.last = &time;
    }
  }
  return spans;
}

Rational start_of(const CsvTime& time, const SampleRate& rate) {
  const long double start = static_cast<long double>(time.seconds) - seconds_to(time, rate);
  const long double width = rounding(time.seconds);
  if (!(std::fabs(start) < 9e9L)) {
    throw Error(ErrorCode::corrupt_data,
                fmt::format("onset_s: {} is no time in a recording", time.seconds));
  }
  const auto simple = simplest_ratio(start - width, start + width);
  return simple ? *simple : exact_seconds(static_cast<double>(start));
}
}  // namespace

std::optional<SampleRate> rate_of(const std::vector<CsvTime>& times, std::size_t segments) {
  Span longest;
  for (const auto& span : spans_of(times, segments)) {
    longest = span.samples() > longest.samples() ? span : longest;
  }
  if (longest.samples() == 0) {
    return std::nullopt;
  }
  const auto passed = static_cast<long double>(longest.last->seconds) -
                      static_cast<long double>(longest.first->seconds);
  const long double error = rounding(longest.last->seconds) + rounding(longest.first->seconds);
  const auto samples = static_cast<long double>(longest.samples());
  const auto rate = passed > error
                        ? simplest_ratio(samples / (passed + error), samples / (passed - error))
                        : std::nullopt;
  if (!rate || *rate <= Rational(0)) {
    throw Error(ErrorCode::corrupt_data,
                fmt::format("onset_s: {} at sample {} and {} at sample {} tell no rate",
                            longest.first->seconds, longest.first->sample, longest.last->seconds,
                            longest.last->sample));
  }
  return SampleRate(*rate);
}

std::vector<Rational> starts_of(const std::vector<CsvTime>& times, std::size_t segments,
                                const SampleRate& rate, double slack_s) {
  std::vector<Rational> starts;
  for (const auto& span : spans_of(times, segments)) {
    starts.push_back(span.first == nullptr ? Rational(0) : start_of(*span.first, rate));
  }
  for (const auto& time : times) {
    const Rational& start = starts[time.segment];
    const long double expected = static_cast<long double>(start.numerator()) /
                                     static_cast<long double>(start.denominator()) +
                                 seconds_to(time, rate);
    const long double off = std::fabs(static_cast<long double>(time.seconds) - expected);
    if (!(off <= static_cast<long double>(slack_s) + 4 * rounding(time.seconds))) {
      throw Error(
          ErrorCode::corrupt_data,
          fmt::format("onset_s: sample {} is at {} s, but at {} Hz it would be at {} s; say "
                      "raw.rate_hz if the rate is another",
                      time.sample, time.seconds, rate.hz(), static_cast<double>(expected)));
    }
  }
  return starts;
}

}  // namespace weir::formats
