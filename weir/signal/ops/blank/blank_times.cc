#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

#include "weir/core/text.h"
#include "weir/signal/ops/blank/blank.h"

namespace weir::signal {
namespace {
std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\"";
  const auto first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) {
    return {};
  }
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

/// The field of a line with commas; empty when there are fewer.
std::string_view column_of(std::string_view line, std::size_t column) {
  for (; column > 0; --column) {
    const auto comma = line.find(',');
    if (comma == std::string_view::npos) {
      return {};
    }
    line.remove_prefix(comma + 1);
  }
  return trimmed(line.substr(0, line.find(',')));
}

bool read_number(std::string_view text, double& number) {
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  return read.ec == std::errc() && read.ptr == text.data() + text.size() && std::isfinite(number);
}

/// The number of the column `onset_s` in a header; npos when it is none.
std::size_t onset_column(std::string_view line) {
  const auto commas = static_cast<std::size_t>(std::count(line.begin(), line.end(), ','));
  for (std::size_t column = 0; column <= commas; ++column) {
    if (column_of(line, column) == "onset_s") {
      return column;
    }
  }
  return std::string_view::npos;
}
}  // namespace

std::vector<double> times_of_file(const std::string& file) {
  const std::string text = read_text_file(file);
  std::vector<double> times;
  std::size_t column = 0;
  std::string_view rest = text;
  if (constexpr std::string_view kMark = "\xef\xbb\xbf"; rest.starts_with(kMark)) {
    rest.remove_prefix(kMark.size());  // Spreadsheets begin UTF-8 with a byte order mark.
  }
  for (std::int64_t number = 1; !rest.empty(); ++number) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (trimmed(line).empty()) {
      continue;
    }
    if (number == 1 && onset_column(line) != std::string_view::npos) {
      column = onset_column(line);
      continue;
    }
    double time = 0;
    if (!read_number(column_of(line, column), time)) {
      throw Error(ErrorCode::corrupt_data, fmt::format("{}:{}: \"{}\" is no time in seconds", file,
                                                       number, column_of(line, column)));
    }
    times.push_back(time);
  }
  return times;
}

BlankReach blank_reach(const Blank& params, const SampleRate& rate) {
  BlankReach reach;
  reach.before = in_context("before_s", [&] { return rate.nearest_frames(params.before_s); });
  reach.after = std::max<std::int64_t>(
      1, in_context("after_s", [&] { return rate.nearest_frames(params.after_s); }));
  return reach;
}

std::vector<double> frames_of_times(const std::vector<double>& times_s, const Segment& segment,
                                    const SampleRate& rate) {
  std::vector<double> frames;
  frames.reserve(times_s.size());
  for (const double time : times_s) {
    frames.push_back(std::round((time - segment.start_s.to_double()) * rate.hz()));
  }
  return frames;
}

std::vector<BlankStretch> blank_stretches(const std::vector<double>& around,
                                          const BlankReach& reach, std::int64_t frames,
                                          std::int64_t& inside) {
  std::vector<BlankStretch> all;
  const auto length = static_cast<double>(frames);
  for (const double frame : around) {
    if (frame >= 0 && frame < length) {
      ++inside;
    }
    const double first = std::max(0.0, frame - static_cast<double>(reach.before));
    const double end = std::min(length, frame + static_cast<double>(reach.after));
    if (first < end) {
      all.push_back({static_cast<std::int64_t>(first), static_cast<std::int64_t>(end)});
    }
  }
  std::sort(all.begin(), all.end(),
            [](const BlankStretch& a, const BlankStretch& b) { return a.first < b.first; });
  std::vector<BlankStretch> merged;
  for (const BlankStretch& stretch : all) {
    if (!merged.empty() && stretch.first <= merged.back().end) {
      merged.back().end = std::max(merged.back().end, stretch.end);
    } else {
      merged.push_back(stretch);
    }
  }
  return merged;
}

}  // namespace weir::signal
