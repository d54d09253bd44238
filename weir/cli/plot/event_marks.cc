#include "weir/cli/plot/event_marks.h"

#include <fmt/format.h>

#include <algorithm>

#include "weir/core/error.h"
#include "weir/core/text.h"

namespace weir::cli {
namespace {
constexpr std::int64_t kLargestTable = std::int64_t{1} << 30;

/// The cells of the line at `at`, which moves to the next. Quoted cells may hold commas and, as
/// "", quotes (RFC 4180).
std::vector<std::string> take_row(std::string_view text, std::size_t& at) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (; at < text.size(); ++at) {
    const char letter = text[at];
    if (quoted && letter == '"' && text.substr(at + 1, 1) == "\"") {
      cells.back() += text[++at];
    } else if (letter == '"') {
      quoted = !quoted;
    } else if (!quoted && letter == ',') {
      cells.emplace_back();
    } else if (!quoted && letter == '\n') {
      ++at;
      break;
    } else if (quoted || letter != '\r') {
      cells.back() += letter;
    }
  }
  return cells;
}

std::size_t column_named(const std::vector<std::string>& header, std::string_view name,
                         const std::string& path) {
  const auto found = std::find(header.begin(), header.end(), name);
  if (found == header.end()) {
    throw Error(ErrorCode::corrupt_data,
                fmt::format("{}: has no column {}: not an event table", path, name));
  }
  return static_cast<std::size_t>(found - header.begin());
}
}  // namespace

std::vector<EventMark> read_event_marks(const std::string& path) {
  const std::string text = read_text_file(path, kLargestTable);
  std::size_t at = 0;
  const auto header = take_row(text, at);
  const auto name = column_named(header, "channel_name", path);
  const auto time = column_named(header, "onset_s", path);
  const auto polarity = column_named(header, "polarity", path);
  std::vector<EventMark> marks;
  for (std::int64_t row = 2; at < text.size(); ++row) {
    const auto cells = take_row(text, at);
    if (cells.size() != header.size()) {
      throw Error(ErrorCode::corrupt_data, fmt::format("{}: line {}: {} cells, not {}", path, row,
                                                       cells.size(), header.size()));
    }
    in_context(fmt::format("{}: line {}", path, row), [&] {
      marks.push_back({cells[name], parse_number(cells[time]), parse_number(cells[polarity]) > 0});
    });
  }
  return marks;
}

}  // namespace weir::cli
