#include "weir/formats/kinds/wfdb/wfdb_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/dense_source.h"
#include "weir/formats/kinds/wfdb/wfdb_packing.h"

namespace weir::formats {
namespace {
constexpr std::int64_t kMostSegments = 100'000;
constexpr std::int64_t kMostSamplesPerFrame = 100'000;

/// Words of one line, one after the other.
class Words {
 public:
  explicit Words(std::string_view line) : rest_(trimmed(line)) {}
  bool empty() const noexcept { return rest_.empty(); }

  std::string_view next() {
    const std::size_t end = std::min(rest_.find_first_of(" \t"), rest_.size());
    const std::string_view word = rest_.substr(0, end);
    rest_ = trimmed(rest_.substr(end));
    return word;
  }
  /// The number the next word is, if there is one.
  std::optional<std::int64_t> next_integer(std::string_view field) {
    if (empty()) {
      return std::nullopt;
    }
    return in_context(field, [&] { return parse_integer(next()); });
  }
  std::string_view rest() const noexcept { return rest_; }

 private:
  std::string_view rest_;
};

/// Lines that are to come.
struct Expected {
  std::int64_t signals = 0;
  std::int64_t segments = 0;
  bool layout = false;
};

[[noreturn]] void refuse(ErrorCode code, const std::string& text) {
  throw Error(code, text);
}

/// "22/06/2026" and "12:30:00.5" as ISO 8601; empty when there is no date.
std::string start_time(std::string_view time, std::string_view date) {
  const auto day = split(date, '/');
  const auto clock = split(time, ':');
  if (day.size() != 3 || clock.empty() || clock.size() > 3) {
    return {};
  }
  // "30" and "1:30" are seconds and minutes.
  const double seconds = parse_number(clock.back());
  const std::int64_t minutes = clock.size() > 1 ? parse_integer(clock[clock.size() - 2]) : 0;
  const std::int64_t hours = clock.size() > 2 ? parse_integer(clock[0]) : 0;
  const double whole = std::floor(seconds);
  std::string text =
      fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02.0f}", parse_integer(day[2]),
                  parse_integer(day[1]), parse_integer(day[0]), hours, minutes, whole);
  const std::size_t dot = clock.back().find('.');
  return dot == std::string::npos ? text : text + clock.back().substr(dot);
}

/// Names of records and signal files: none leads out of the folder.
void require_beside(std::string_view name, std::string_view what) {
  if (name.empty() || name.find('/') != std::string::npos || name == ".." || name == "." ||
      name.find('\0') != std::string::npos) {
    refuse(ErrorCode::unsupported,
           fmt::format("{}: {} are looked for beside the header only", printable(name), what));
  }
}

/// "100" or "s00001/12"; tells how many segments.
std::int64_t parse_name(std::string_view word, WfdbHeader& header) {
  const std::size_t slash = std::min(word.find('/'), word.size());
  header.record = word.substr(0, slash);
  if (slash == word.size()) {
    return 0;
  }
  const std::int64_t count =
      in_context("number of segments", [&] { return parse_integer(word.substr(slash + 1)); });
  if (count < 1 || count > kMostSegments) {
    refuse(ErrorCode::corrupt_data,
           fmt::format("number of segments: {} is not between 1 and {}", count, kMostSegments));
  }
  return count;
}

void parse_record(Words words, WfdbHeader& header, Expected& expected) {
  expected.segments = parse_name(words.next(), header);
  const auto count = words.next_integer("number of signals");
  if (!count) {
    refuse(ErrorCode::corrupt_data, "number of signals: missing");
  }
  header.signal_count = in_context("number of signals", [&] { return checked_channels(*count); });
  expected.signals = expected.segments > 0 ? 0 : header.signal_count;
  if (!words.empty()) {
    const std::string_view word = words.next();
    header.rate = in_context("sampling frequency", [&] {
      return SampleRate::from_hz(parse_number(word.substr(0, word.find_first_of("/("))));
    });
  }
  header.frames = words.next_integer("number of samples").value_or(0);
  if (header.frames < 0) {
    refuse(ErrorCode::corrupt_data, fmt::format("number of samples: {} cannot be", header.frames));
  }
  if (!words.empty()) {
    const std::string_view time = words.next();
    header.start_time = in_context("base time", [&] { return start_time(time, words.next()); });
  }
}

/// "212", "16x4:3+24": four samples a frame, stored three frames late, from byte 24 on.
void parse_format(std::string_view word, bool layout, WfdbSignal& signal) {
  const std::size_t digits = std::min(word.find_first_of("x:+"), word.size());
  const std::int64_t format =
      in_context("format", [&] { return parse_integer(word.substr(0, digits)); });
  if (!is_wfdb_format(format) && !(layout && format == 0)) {
    refuse(ErrorCode::unsupported,
           fmt::format(
               "format {}: only 8, 16, 24, 32, 61, 80, 160, 212, 310, 311, 508, 516, 524 are read",
               format));
  }
  signal.format = static_cast<int>(format);
  for (std::string_view rest = word.substr(digits); !rest.empty();) {
    const char kind = rest[0];
    const std::size_t end = std::min(rest.find_first_of("x:+", 1), rest.size());
    const std::int64_t number =
        in_context("format", [&] { return parse_integer(rest.substr(1, end - 1)); });
    if (number < (kind == 'x' ? 1 : 0) || (kind == 'x' && number > kMostSamplesPerFrame)) {
      refuse(ErrorCode::corrupt_data, fmt::format("format {}: {} cannot be", word, number));
    }
    (kind == 'x' ? signal.samples : kind == ':' ? signal.skew : signal.byte_offset) = number;
    rest = rest.substr(end);
  }
}

/// "200", "200(1024)/mV"; gives back the baseline when it is there.
std::optional<std::int64_t> parse_gain(std::string_view word, WfdbSignal& signal) {
  const std::size_t slash = std::min(word.find('/'), word.size());
  const std::string_view number = word.substr(0, slash);
  const std::size_t open = std::min(number.find('('), number.size());
  if (slash < word.size()) {
    signal.unit = word.substr(slash + 1);
  }
  const double gain = in_context("gain", [&] { return parse_number(number.substr(0, open)); });
  if (!std::isfinite(gain)) {
    refuse(ErrorCode::corrupt_data, fmt::format("gain: {} cannot be", gain));
  }
  signal.calibrated = gain != 0;
  signal.gain = signal.calibrated ? gain : 200;
  if (open == number.size()) {
    return std::nullopt;
  }
  if (number.back() != ')') {
    refuse(ErrorCode::corrupt_data, fmt::format("gain: \"{}\" lacks a parenthesis", word));
  }
  return in_context(
      "baseline", [&] { return parse_integer(number.substr(open + 1, number.size() - open - 2)); });
}

WfdbSignal parse_signal(Words words, bool layout) {
  WfdbSignal signal;
  signal.file = words.next();
  // A layout tells of signals, not of files.
  if (!layout || signal.file != "~") {
    require_beside(signal.file, "signal files");
  }
  if (words.empty()) {
    refuse(ErrorCode::corrupt_data, "format: missing");
  }
  parse_format(words.next(), layout, signal);
  std::optional<std::int64_t> baseline;
  signal.calibrated = !words.empty();
  if (!words.empty()) {
    baseline = parse_gain(words.next(), signal);
  }
  words.next_integer("ADC resolution");
  signal.zero = words.next_integer("ADC zero").value_or(0);
  signal.baseline = baseline.value_or(signal.zero);
  signal.initial_value = words.next_integer("initial value");
  signal.checksum = words.next_integer("checksum");
  words.next_integer("block size");
  signal.description = words.rest();
  return signal;
}

WfdbSegment parse_segment(Words words) {
  WfdbSegment segment;
  segment.record = words.next();
  require_beside(segment.record, "segments");
  const auto frames = words.next_integer("number of samples");
  if (!frames || *frames < 0) {
    refuse(ErrorCode::corrupt_data,
           fmt::format("segment {}: no number of samples", segment.record));
  }
  segment.frames = *frames;
  return segment;
}

void parse_line(std::string_view line, WfdbHeader& header, Expected& expected) {
  if (line.starts_with('#')) {
    header.comments.emplace_back(trimmed(line.substr(1)));
  } else if (line.empty()) {
    return;
  } else if (header.record.empty()) {
    parse_record(Words(line), header, expected);
  } else if (std::ssize(header.signals) < expected.signals) {
    header.signals.push_back(parse_signal(Words(line), expected.layout));
  } else if (std::ssize(header.segments) < expected.segments) {
    header.segments.push_back(parse_segment(Words(line)));
  } else {
    refuse(ErrorCode::corrupt_data, fmt::format("more lines than the {} {} need",
                                                std::max(expected.signals, expected.segments),
                                                expected.segments > 0 ? "segments" : "signals"));
  }
}

void check_complete(const WfdbHeader& header, const Expected& expected) {
  if (header.record.empty()) {
    refuse(ErrorCode::corrupt_data, "the record line is missing");
  }
  const bool parts = expected.segments > 0;
  const std::int64_t found = parts ? std::ssize(header.segments) : std::ssize(header.signals);
  const std::int64_t promised = parts ? expected.segments : expected.signals;
  if (found != promised) {
    refuse(ErrorCode::corrupt_data, fmt::format("describes {} {}, but promises {}", found,
                                                parts ? "segments" : "signals", promised));
  }
}
}  // namespace

WfdbHeader parse_wfdb_header(std::string_view text, WfdbHeaderOf of) {
  WfdbHeader header;
  Expected expected{.layout = of == WfdbHeaderOf::layout};
  std::int64_t number = 0;
  for (const auto& line : split(text, '\n')) {
    ++number;
    try {
      parse_line(trimmed(line), header, expected);
    } catch (const Error& error) {
      const bool field = error.code() == ErrorCode::invalid_spec;
      throw Error(field ? ErrorCode::corrupt_data : error.code(),
                  fmt::format("line {}: {}", number, error.text()));
    }
  }
  check_complete(header, expected);
  return header;
}

}  // namespace weir::formats
