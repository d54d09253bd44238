#include "weir/formats/kinds/edf/edf_annotations.h"

#include <optional>

#include "weir/core/error.h"
#include "weir/core/text.h"

namespace weir::formats {
namespace {
constexpr char kDuration = '\x15';
constexpr char kText = '\x14';

std::optional<long double> seconds(std::string_view text) {
  try {
    const double number = parse_number(text);
    return number > -9e9 && number < 9e9 ? std::optional<long double>(number) : std::nullopt;
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// Onset and duration in front of a list's first text.
std::optional<EdfAnnotation> time_of(std::string_view stamp) {
  if (stamp.empty() || (stamp.front() != '+' && stamp.front() != '-')) {
    return std::nullopt;
  }
  const auto mark = stamp.find(kDuration);
  const auto onset = seconds(stamp.substr(0, mark));
  // "+1.5\x15\x14…" has a mark and no duration.
  const std::string_view rest = mark == stamp.npos ? "" : stamp.substr(mark + 1);
  const auto duration = rest.empty() ? std::optional<long double>(0) : seconds(rest);
  if (!onset || !duration || *duration < 0) {
    return std::nullopt;
  }
  return EdfAnnotation{.text = {}, .onset_s = *onset, .duration_s = *duration};
}
}  // namespace

std::int64_t scan_edf_annotations(std::string_view bytes,
                                  const std::function<void(const EdfAnnotation&)>& found) {
  std::int64_t unreadable = 0;
  while (true) {
    const auto begin = bytes.find_first_not_of('\0');
    if (begin == bytes.npos) {
      return unreadable;
    }
    bytes.remove_prefix(begin);
    const std::string_view list = bytes.substr(0, bytes.find('\0'));
    bytes.remove_prefix(list.size());
    const auto end = list.find(kText);
    auto annotation = end == list.npos ? std::nullopt : time_of(list.substr(0, end));
    if (!annotation) {
      ++unreadable;
      continue;
    }
    for (std::string_view texts = list.substr(end + 1); !texts.empty();) {
      annotation->text = texts.substr(0, texts.find(kText));
      texts.remove_prefix(std::min(texts.size(), annotation->text.size() + 1));
      if (!annotation->text.empty()) {
        found(*annotation);
      }
    }
  }
}

}  // namespace weir::formats
