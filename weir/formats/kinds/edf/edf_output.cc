#include "weir/formats/kinds/edf/edf_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <optional>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/frame_time.h"
#include "weir/formats/kinds/edf/edf_lists.h"

namespace weir::formats {
namespace {
constexpr std::int64_t kMostChannels = 9998;
constexpr std::int64_t kWantedRecordBytes = std::int64_t{8} << 20;
constexpr std::int64_t kMostRecordBytes = std::int64_t{256} << 20;
constexpr double kMostLoss = 1e-4;
constexpr double kNoLoss = 1e-12;

/// The number in at most eight characters, without an exponent; empty when it needs more.
std::string eight_characters(double value) {
  for (int digits = 7; digits >= 0; --digits) {
    std::string text = fmt::format("{:.{}f}", value, digits);
    if (text.find('.') != std::string::npos) {
      text.erase(text.find_last_not_of('0') + 1);
      text.erase(text.find_last_not_of('.') + 1);
    }
    if (text.size() <= 8) {
      return text == "-0" ? "0" : text;
    }
  }
  return {};
}

/// Units of one quantity, each a thousand of the next.
constexpr std::array<std::string_view, 4> kVolts{"V", "mV", "uV", "nV"};

/// The first of `room` counts from `count` on, in steps of `step`, whose value eight characters
/// tell exactly; `count` when there is none.
std::int64_t exact_count(const Channel& channel, double factor, std::int64_t count,
                         std::int64_t step, std::int64_t room) {
  for (std::int64_t i = 0; i <= room; ++i) {
    const double value =
        (channel.gain * static_cast<double>(count + i * step) + channel.offset) * factor;
    const std::string text = eight_characters(value);
    if (!text.empty() && std::abs(parse_number(text) - value) <= kNoLoss * std::abs(value)) {
      return count + i * step;
    }
  }
  return count;
}

/// The range with values multiplied by `factor`.
std::optional<EdfRange> range_in(const Channel& channel, const std::string& unit, double factor,
                                 const EdfCounts& counts) {
  const std::int64_t half = std::int64_t{1} << (counts.bits - 1);
  EdfRange range;
  range.unit = unit;
  range.lowest = exact_count(channel, factor, -half, -1, counts.room);
  range.highest = exact_count(channel, factor, half - 1, 1, counts.room);
  const auto lowest = static_cast<double>(range.lowest);
  const auto highest = static_cast<double>(range.highest);
  range.minimum = eight_characters((channel.gain * lowest + channel.offset) * factor);
  range.maximum = eight_characters((channel.gain * highest + channel.offset) * factor);
  if (range.minimum.empty() || range.maximum.empty() || range.minimum == range.maximum) {
    return std::nullopt;
  }
  const double minimum = parse_number(range.minimum) / factor;
  const double gain = (parse_number(range.maximum) / factor - minimum) / (highest - lowest);
  range.gain_error = std::abs(gain / channel.gain - 1);
  range.offset_error = std::abs(minimum - gain * lowest - channel.offset) /
                       (std::abs(channel.gain) * (highest - lowest));
  return range;
}

bool fits_eight(const Rational& seconds) {
  const std::string text = eight_characters(seconds.to_double());
  return !text.empty() && exact_seconds(parse_number(text)) == seconds;
}

/// Whether the frames of every segment are whole records.
bool divides_all(const std::vector<Segment>& segments, std::int64_t samples) {
  return std::all_of(segments.begin(), segments.end(),
                     [&](const Segment& segment) { return segment.frames % samples == 0; });
}

/// The longest records of whole seconds, or of decimal parts of them, that leave no record partly
/// filled; the longest of a bearable size where none does.
void choose_records(const StreamInfo& stream, EdfOutput& plan) {
  const std::int64_t channels = stream.channel_count();
  const Rational& rate = stream.rate.exact();
  bool chosen = false;
  std::int64_t least_bytes = 0;
  for (const std::int64_t parts : {1,   2,   4,   5,   8,   10,  16,   20,   25,   40,   50,   80,
                                   100, 125, 200, 250, 400, 500, 1000, 2000, 4000, 5000, 10000}) {
    const std::int64_t samples = rate.numerator() / parts;
    const Rational seconds(rate.denominator(), parts);
    if (rate.numerator() % parts != 0 || !fits_eight(seconds)) {
      continue;
    }
    if (samples > kMostRecordBytes || samples * channels > kMostRecordBytes) {
      least_bytes = -1;
      continue;
    }
    const std::int64_t bytes = samples * channels * plan.sample_bytes();
    least_bytes = bytes;
    // Shorter ones would be annotations more than samples.
    const bool even = seconds >= Rational(1, 10) && divides_all(stream.segments, samples);
    if (!chosen || (bytes <= kWantedRecordBytes && even)) {
      plan.samples = samples;
      plan.record_s = seconds;
      chosen = bytes <= kWantedRecordBytes;
    }
    if (chosen && even) {
      return;
    }
  }
  if (plan.samples == 0) {
    throw Error(
        ErrorCode::unsupported,
        least_bytes == 0
            ? fmt::format("rate: no data record of at most eight digits of seconds holds whole "
                          "samples at {}",
                          stream.rate.text())
            : fmt::format("rate: a data record of whole samples of {} channels at {} takes more "
                          "than {} bytes",
                          channels, stream.rate.text(), grouped(kMostRecordBytes)));
  }
}

/// A day and a second of it, and the part of a second: "2026-11-30T04:05:06.789+01:00", the zone
/// left out. Empty for what is none.
struct StartTime {
  std::chrono::sys_seconds second;
  Rational part;
};

std::optional<std::int64_t> digits(std::string_view text, std::size_t at, std::size_t count) {
  std::int64_t number = 0;
  for (std::size_t i = at; i < at + count; ++i) {
    if (i >= text.size() || text[i] < '0' || text[i] > '9') {
      return std::nullopt;
    }
    number = 10 * number + (text[i] - '0');
  }
  return number;
}

std::optional<StartTime> parse_start(std::string_view text) {
  namespace chrono = std::chrono;
  const auto year = digits(text, 0, 4);
  const auto month = digits(text, 5, 2);
  const auto day = digits(text, 8, 2);
  const auto hour = digits(text, 11, 2);
  const auto minute = digits(text, 14, 2);
  const auto second = digits(text, 17, 2);
  if (!year || !month || !day || !hour || !minute || !second || *hour > 23 || *minute > 59 ||
      *second > 60) {
    return std::nullopt;
  }
  const chrono::year_month_day date(chrono::year(static_cast<int>(*year)),
                                    chrono::month(static_cast<unsigned>(*month)),
                                    chrono::day(static_cast<unsigned>(*day)));
  if (!date.ok()) {
    return std::nullopt;
  }
  StartTime start{chrono::sys_days(date) + chrono::hours(*hour) + chrono::minutes(*minute) +
                      chrono::seconds(*second),
                  Rational(0)};
  if (text.size() > 20 && text[19] == '.') {
    std::size_t count = 0;
    while (count < 9 && digits(text, 20 + count, 1)) {
      ++count;
    }
    std::int64_t scale = 1;
    for (std::size_t i = 0; i < count; ++i) {
      scale *= 10;
    }
    start.part = Rational(digits(text, 20, count).value_or(0), scale);
  }
  return start;
}

/// The header tells whole seconds; the first record's annotation adds the part of one.
void choose_start(const RecordingOutput& output, EdfOutput& plan) {
  namespace chrono = std::chrono;
  constexpr std::array<const char*, 12> kMonths{"JAN", "FEB", "MAR", "APR", "MAY", "JUN",
                                                "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"};
  Rational first;
  for (const auto& segment : output.stream.segments) {
    if (segment.frames > 0) {
      first = segment.start_s;
      break;
    }
  }
  const auto start = parse_start(output.start_time);
  const Rational begin = first + (start ? start->part : Rational(0));
  const std::int64_t whole = begin.floor_times(1);
  plan.shift_s = (start ? start->part : Rational(0)) - Rational(whole);
  plan.date = "01.01.85";
  plan.time = "00.00.00";
  plan.recording = "Startdate X X X X";
  if (!start) {
    return;
  }
  const auto at = start->second + chrono::seconds(whole);
  const auto day = chrono::floor<chrono::days>(at);
  const chrono::year_month_day date(day);
  const chrono::hh_mm_ss clock(at - day);
  const int year = static_cast<int>(date.year());
  const auto month = static_cast<unsigned>(date.month());
  plan.date = fmt::format("{:02}.{:02}.{:02}", static_cast<unsigned>(date.day()), month,
                          ((year % 100) + 100) % 100);
  plan.time = fmt::format("{:02}.{:02}.{:02}", clock.hours().count(), clock.minutes().count(),
                          clock.seconds().count());
  plan.recording = fmt::format("Startdate {:02}-{}-{:04} X X X", static_cast<unsigned>(date.day()),
                               kMonths.at(month - 1), year);
}

/// `text` in `width` characters of printable ASCII.
std::string field(std::string_view text, std::size_t width) {
  std::string result;
  for (std::size_t i = 0; i < text.size() && result.size() < width; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte >= 0x80 && byte < 0xc0) {
      continue;  // A character of several bytes is one "?".
    }
    result += byte >= 0x20 && byte < 0x7f ? text[i] : '?';
  }
  result.resize(width, ' ');
  return result;
}
}  // namespace

EdfRange edf_range(const Channel& channel, const EdfCounts& counts) {
  auto best = range_in(channel, channel.unit, 1, counts);
  const auto* unit = std::find(kVolts.begin(), kVolts.end(), channel.unit);
  for (std::size_t other = 0; unit != kVolts.end() && other < kVolts.size(); ++other) {
    const double factor =
        std::pow(1000.0, static_cast<double>(other) - static_cast<double>(unit - kVolts.begin()));
    const auto range = range_in(channel, std::string(kVolts[other]), factor, counts);
    if (range && (!best || range->gain_error < 0.1 * best->gain_error - kNoLoss)) {
      best = range;
    }
  }
  if (!best || !(best->gain_error <= kMostLoss) || !(best->offset_error <= kMostLoss)) {
    throw Error(
        ErrorCode::unsupported,
        fmt::format(
            "channel \"{}\": the range of gain {} and offset {} {} cannot be told "
            "in the eight characters EDF has for a number: write with dtype = \"int16\" and "
            "another gain (units a count), or in another format",
            printable(channel.name), channel.gain, channel.offset, channel.unit));
  }
  return *best;
}

namespace {
/// Errors: `unsupported` for samples that EDF has no counts for.
EdfCounts counts_in(SampleType type, bool bdf) {
  constexpr EdfCounts kOfShorts{.bits = 16, .room = 4096};
  constexpr EdfCounts kOfAll{.bits = 24, .room = 0};
  if (type == SampleType::int32 && !bdf) {
    throw Error(ErrorCode::unsupported,
                "dtype: the input has counts of more than 16 bits, which is all EDF holds: write "
                ".bdf, or with dtype = \"int16\" and a gain (units a count)");
  }
  if (type != SampleType::int16 && type != SampleType::int32) {
    throw Error(
        ErrorCode::unsupported,
        fmt::format("dtype: {} holds whole counts, not {}: write with dtype = \"int16\" and "
                    "a gain (units a count; the range is 32768 of them each way, what "
                    "exceeds it is clipped and counted)",
                    bdf ? "BDF" : "EDF", name(type)));
  }
  return type == SampleType::int32 ? kOfAll : bdf ? kOfShorts : EdfCounts{};
}
}  // namespace

EdfOutput plan_edf(const RecordingOutput& output) {
  EdfOutput plan;
  plan.bdf = ends_with_ignoring_case(output.path.string(), ".bdf");
  const auto& stream = output.stream;
  if (stream.axis != Axis::time_s) {
    throw Error(ErrorCode::unsupported,
                fmt::format("EDF runs along time, these rows along {}: use another format",
                            name(stream.axis)));
  }
  const EdfCounts counts = counts_in(stream.type, plan.bdf);
  if (stream.channel_count() < 1 || stream.channel_count() > kMostChannels) {
    throw Error(ErrorCode::unsupported,
                fmt::format("channels: {} are not between 1 and {}, as EDF can hold",
                            stream.channel_count(), kMostChannels));
  }
  for (const auto& channel : stream.channels) {
    plan.ranges.push_back(edf_range(channel, counts));
  }
  plan.discontinuous = std::count_if(stream.segments.begin(), stream.segments.end(),
                                     [](const Segment& segment) { return segment.frames > 0; }) > 1;
  choose_records(stream, plan);
  choose_start(output, plan);
  plan_edf_lists(output, plan);
  return plan;
}

std::string edf_header_text(const EdfOutput& plan, const StreamInfo& stream, std::int64_t records) {
  const char* kind = plan.bdf ? "BDF" : "EDF";
  const auto signals = static_cast<std::int64_t>(stream.channels.size()) + 1;
  std::string text = plan.bdf ? "\xff"
                                "BIOSEMI"
                              : field("0", 8);
  text += field("X X X X", 80) + field(plan.recording, 80) + plan.date + plan.time +
          field(fmt::format("{}", 256 * (signals + 1)), 8) +
          field(fmt::format("{}+{}", kind, plan.discontinuous ? 'D' : 'C'), 44) +
          field(fmt::format("{}", records), 8) +
          field(eight_characters(plan.record_s.to_double()), 8) +
          field(fmt::format("{}", signals), 4);
  const auto each = [&](std::size_t width, const auto& of_channel, const std::string& of_last) {
    for (std::size_t i = 0; i < stream.channels.size(); ++i) {
      text += field(of_channel(i), width);
    }
    text += field(of_last, width);
  };
  const std::string lowest = plan.bdf ? "-8388608" : "-32768";
  const std::string highest = plan.bdf ? "8388607" : "32767";
  each(
      16, [&](std::size_t i) { return stream.channels[i].name; },
      std::string(kind) + " Annotations");
  each(
      80,
      [&](std::size_t i) {
        const Channel& channel = stream.channels[i];
        const bool exact = plan.ranges[i].gain_error < 1e-12 && plan.ranges[i].offset_error < 1e-12;
        return exact ? std::string()
                     : fmt::format("gain {} offset {} {}", channel.gain, channel.offset,
                                   channel.unit);
      },
      "");
  each(8, [&](std::size_t i) { return plan.ranges[i].unit; }, "");
  each(8, [&](std::size_t i) { return plan.ranges[i].minimum; }, "-1");
  each(8, [&](std::size_t i) { return plan.ranges[i].maximum; }, "1");
  each(8, [&](std::size_t i) { return fmt::format("{}", plan.ranges[i].lowest); }, lowest);
  each(8, [&](std::size_t i) { return fmt::format("{}", plan.ranges[i].highest); }, highest);
  each(80, [](std::size_t) { return std::string(); }, "");
  each(
      8, [&](std::size_t) { return fmt::format("{}", plan.samples); },
      fmt::format("{}", plan.annotation_samples()));
  each(32, [](std::size_t) { return std::string(); }, "");
  return text;
}

std::string edf_seconds(const Rational& seconds) {
  constexpr std::int64_t kScale = 1'000'000'000'000;
  __extension__ using Wide = __int128;
  const bool negative = seconds < Rational(0);
  const Wide numerator = negative ? -Wide{seconds.numerator()} : Wide{seconds.numerator()};
  const auto whole = static_cast<std::int64_t>(numerator / seconds.denominator());
  const Wide rest = numerator % seconds.denominator();
  const auto part = static_cast<std::int64_t>((rest * kScale + seconds.denominator() / 2) /
                                              seconds.denominator());
  std::string text = fmt::format("{}{}", negative ? '-' : '+', whole + part / kScale);
  if (part % kScale != 0) {
    text += fmt::format(".{:012}", part % kScale);
    text.erase(text.find_last_not_of('0') + 1);
  }
  return text;
}

}  // namespace weir::formats
