#include <chrono>
#include <cmath>

#include "weir/core/error.h"
#include "weir/pipeline/input/exact_time_internal.h"

namespace weir::pipeline {
namespace {
constexpr std::int64_t kNano = 1'000'000'000;

long double wide(const Rational& value) {
  return static_cast<long double>(value.numerator()) /
         static_cast<long double>(value.denominator());
}

template <class Exact>
Rational or_nearest(Exact exact, long double approximate) {
  try {
    return exact();
  } catch (const Error&) {
    if (std::fabs(approximate) > 9e9L) {
      throw;
    }
    return Rational(std::llround(approximate * kNano), kNano);
  }
}

/// `count` digits at `at`; negative when they are none.
int digits(std::string_view text, std::size_t at, std::size_t count) {
  int number = 0;
  for (std::size_t i = at; i < at + count; ++i) {
    if (i >= text.size() || text[i] < '0' || text[i] > '9') {
      return -1;
    }
    number = 10 * number + (text[i] - '0');
  }
  return number;
}

bool has(std::string_view text, std::size_t at, char wanted) {
  return at < text.size() && text[at] == wanted;
}

/// The seconds that a zone is ahead of UTC; empty when `text` is no zone.
std::optional<int> zone_of(std::string_view text) {
  if (text.empty() || text == "Z") {
    return 0;
  }
  const int hours = digits(text, 1, 2);
  const int minutes = digits(text, has(text, 3, ':') ? 4 : 3, 2);
  const bool sized = text.size() == (has(text, 3, ':') ? 6U : 5U);
  if ((text[0] != '+' && text[0] != '-') || !sized || hours < 0 || minutes < 0) {
    return std::nullopt;
  }
  return (text[0] == '-' ? -60 : 60) * (60 * hours + minutes);
}
}  // namespace

Rational time_sum(const Rational& a, const Rational& b) {
  return or_nearest([&] { return a + b; }, wide(a) + wide(b));
}

Rational time_difference(const Rational& a, const Rational& b) {
  return or_nearest([&] { return a - b; }, wide(a) - wide(b));
}

Rational time_of(std::int64_t frames, const SampleRate& rate) {
  return or_nearest([&] { return Rational(frames) / rate.exact(); },
                    static_cast<long double>(frames) / wide(rate.exact()));
}

std::int64_t ceil_frames(const Rational& seconds, const SampleRate& rate) {
  try {
    return ceil_product(seconds, rate.exact());
  } catch (const Error&) {
    // What nanoseconds blur is no more than a thousandth of a sample.
    return static_cast<std::int64_t>(std::ceil(wide(seconds) * wide(rate.exact()) - 1e-3L));
  }
}

std::int64_t nearest_frames(const Rational& seconds, const SampleRate& rate) {
  try {
    return (seconds * rate.exact() + Rational(1, 2)).floor_times(1);
  } catch (const Error&) {
    return static_cast<std::int64_t>(std::floor(wide(seconds) * wide(rate.exact()) + 0.5L));
  }
}

std::optional<Moment> parse_moment(std::string_view text) {
  const int parts[] = {digits(text, 0, 4),  digits(text, 5, 2),  digits(text, 8, 2),
                       digits(text, 11, 2), digits(text, 14, 2), digits(text, 17, 2)};
  for (const int part : parts) {
    if (part < 0) {
      return std::nullopt;
    }
  }
  const bool marked = has(text, 4, '-') && has(text, 7, '-') &&
                      (has(text, 10, 'T') || has(text, 10, ' ')) && has(text, 13, ':') &&
                      has(text, 16, ':');
  const std::chrono::year_month_day date{std::chrono::year(parts[0]),
                                         std::chrono::month(static_cast<unsigned>(parts[1])),
                                         std::chrono::day(static_cast<unsigned>(parts[2]))};
  if (!marked || !date.ok() || parts[3] > 24 || parts[4] > 59 || parts[5] > 60) {
    return std::nullopt;
  }
  std::int64_t nanos = 0;
  std::size_t at = 19;
  const bool fraction = has(text, at, '.') || has(text, at, ',');
  if (fraction) {
    std::int64_t unit = kNano;
    for (++at; digits(text, at, 1) >= 0; ++at) {
      unit /= 10;
      nanos += unit * digits(text, at, 1);
    }
  }
  const auto zone = zone_of(text.substr(at));
  if (!zone) {
    return std::nullopt;
  }
  const std::int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  const std::int64_t seconds =
      days * 86400 + std::int64_t{parts[3]} * 3600 + std::int64_t{parts[4]} * 60 + parts[5] - *zone;
  return Moment{time_sum(Rational(seconds), Rational(nanos, kNano)), !fraction};
}

}  // namespace weir::pipeline
