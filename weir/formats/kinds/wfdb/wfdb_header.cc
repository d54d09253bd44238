#include "weir/formats/kinds/wfdb/wfdb_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/dense_source.h"

namespace weir::formats {
namespace {

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

void parse_record(Words words, WfdbHeader& header, std::int64_t& signals) {
  header.record = words.next();
  if (header.record.find('/') != std::string::npos) {
    refuse(ErrorCode::unsupported,
           fmt::format("record {}: multi-segment records are not read yet", header.record));
  }
  const auto count = words.next_integer("number of signals");
  if (!count) {
    refuse(ErrorCode::corrupt_data, "number of signals: missing");
  }
  signals = in_context("number of signals", [&] { return checked_channels(*count); });
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

/// "212", "16+24"; "212x2" and "16:3" are refused.
void parse_format(std::string_view word, WfdbSignal& signal) {
  const std::size_t digits = std::min(word.find_first_of("x:+"), word.size());
  const std::int64_t format =
      in_context("format", [&] { return parse_integer(word.substr(0, digits)); });
  if (format != 16 && format != 212) {
    refuse(ErrorCode::unsupported, fmt::format("format {}: only 16 and 212 are read", format));
  }
  signal.format = static_cast<int>(format);
  for (std::string_view rest = word.substr(digits); !rest.empty();) {
    const char kind = rest[0];
    const std::size_t end = std::min(rest.find_first_of("x:+", 1), rest.size());
    const std::int64_t number =
        in_context("format", [&] { return parse_integer(rest.substr(1, end - 1)); });
    if (kind == 'x' && number != 1) {
      refuse(ErrorCode::unsupported, fmt::format("format {}: {} samples a frame", word, number));
    }
    if (kind == ':' && number != 0) {
      refuse(ErrorCode::unsupported, fmt::format("format {}: a skew of {}", word, number));
    }
    if (kind == '+') {
      signal.byte_offset = number;
    }
    rest = rest.substr(end);
  }
  if (signal.byte_offset < 0) {
    refuse(ErrorCode::corrupt_data, fmt::format("format {}: a negative offset", word));
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

WfdbSignal parse_signal(Words words) {
  WfdbSignal signal;
  signal.file = words.next();
  if (signal.file.find('/') != std::string::npos) {
    refuse(ErrorCode::unsupported,
           fmt::format("{}: signal files are looked for beside the header only", signal.file));
  }
  if (words.empty()) {
    refuse(ErrorCode::corrupt_data, "format: missing");
  }
  parse_format(words.next(), signal);
  std::optional<std::int64_t> baseline;
  signal.calibrated = !words.empty();
  if (!words.empty()) {
    baseline = parse_gain(words.next(), signal);
  }
  words.next_integer("ADC resolution");
  const std::int64_t zero = words.next_integer("ADC zero").value_or(0);
  signal.baseline = baseline.value_or(zero);
  signal.initial_value = words.next_integer("initial value");
  signal.checksum = words.next_integer("checksum");
  words.next_integer("block size");
  signal.description = words.rest();
  return signal;
}

void parse_line(std::string_view line, WfdbHeader& header, std::int64_t& signals) {
  if (line.starts_with('#')) {
    header.comments.emplace_back(trimmed(line.substr(1)));
  } else if (line.empty()) {
    return;
  } else if (header.record.empty()) {
    parse_record(Words(line), header, signals);
  } else if (std::ssize(header.signals) < signals) {
    header.signals.push_back(parse_signal(Words(line)));
  } else {
    refuse(ErrorCode::corrupt_data, fmt::format("more lines than the {} signals need", signals));
  }
}
}  // namespace

WfdbHeader parse_wfdb_header(std::string_view text) {
  WfdbHeader header;
  std::int64_t signals = 0;
  std::int64_t number = 0;
  for (const auto& line : split(text, '\n')) {
    ++number;
    try {
      parse_line(trimmed(line), header, signals);
    } catch (const Error& error) {
      const bool field = error.code() == ErrorCode::invalid_spec;
      throw Error(field ? ErrorCode::corrupt_data : error.code(),
                  fmt::format("line {}: {}", number, error.text()));
    }
  }
  if (header.record.empty() || std::ssize(header.signals) != signals) {
    throw Error(ErrorCode::corrupt_data, header.record.empty()
                                             ? std::string("the record line is missing")
                                             : fmt::format("describes {} signals, but promises {}",
                                                           header.signals.size(), signals));
  }
  return header;
}

}  // namespace weir::formats
