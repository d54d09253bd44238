#include "weir/formats/kinds/edf/edf_lists.h"

#include <fmt/format.h>

#include <algorithm>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/frame_time.h"

namespace weir::formats {
namespace {
constexpr std::int64_t kMostListBytes = std::int64_t{1} << 16;
constexpr std::int64_t kStep = 6;  ///< Whole samples of two bytes and of three.

Rational sum(const Rational& a, const Rational& b) {
  try {
    return a + b;
  } catch (const Error&) {  // No ratio of 64 bits.
    return exact_seconds(a.to_double() + b.to_double());
  }
}

/// The text without what ends it in the file.
std::string plain(const std::string& text) {
  std::string result;
  for (const char c : text) {
    result += c == '\0' || c == '\x14' || c == '\x15' ? ' ' : c;
  }
  return result;
}

std::string list_of(const Annotation& annotation, const Rational& onset_s) {
  std::string text = edf_seconds(onset_s);
  if (annotation.duration_s) {
    text += '\x15' + edf_seconds(*annotation.duration_s).substr(1);
  }
  return text + '\x14' + plain(annotation.text) + '\x14' + '\0';
}

/// Whether everything has a place before the file ends.
bool all_fit(const StreamInfo& stream, const EdfOutput& plan) {
  std::int64_t left = 0;  // Records.
  for (const Segment& segment : stream.segments) {
    left += (segment.frames + plan.samples - 1) / plan.samples;
  }
  std::size_t next = 0;
  for (const Segment& segment : stream.segments) {
    const std::int64_t records = (segment.frames + plan.samples - 1) / plan.samples;
    for (std::int64_t record = 0; record < records && next < plan.lists.size(); ++record) {
      const Rational end =
          sum(sum(segment.start_s, plan.shift_s), Rational(record + 1) * plan.record_s);
      --left;
      next += lists_in_record(plan, next, left == 0 ? std::nullopt : std::optional(end));
    }
  }
  return next == plan.lists.size();
}
}  // namespace

std::size_t lists_in_record(const EdfOutput& plan, std::size_t next,
                            const std::optional<Rational>& end_s) {
  std::int64_t bytes = 0;
  std::size_t count = 0;
  for (std::size_t i = next; i < plan.lists.size(); ++i, ++count) {
    bytes += std::ssize(plan.lists[i]);
    if (bytes > plan.list_bytes || (end_s && plan.due_s[i] >= *end_s)) {
      break;
    }
  }
  return count;
}

void plan_edf_lists(const RecordingOutput& output, EdfOutput& plan) {
  std::int64_t longest = 0;
  for (const auto& annotation : output.annotations) {
    plan.due_s.push_back(sum(annotation.onset_s, plan.shift_s));
    plan.lists.push_back(list_of(annotation, plan.due_s.back()));
    longest = std::max(longest, std::ssize(plan.lists.back()));
  }
  if (plan.lists.empty()) {
    return;
  }
  std::int64_t too_few = (longest - 1) / kStep;
  std::int64_t enough = kMostListBytes / kStep;
  plan.list_bytes = enough * kStep;
  if (longest > plan.list_bytes || !all_fit(output.stream, plan)) {
    throw Error(
        ErrorCode::unsupported,
        fmt::format("events: {} annotations need more than {} bytes in a data record; write "
                    "them to a table",
                    grouped(std::ssize(plan.lists)), grouped(kMostListBytes)));
  }
  while (enough - too_few > 1) {
    const std::int64_t middle = (enough + too_few) / 2;
    plan.list_bytes = middle * kStep;
    (all_fit(output.stream, plan) ? enough : too_few) = middle;
  }
  plan.list_bytes = enough * kStep;
}

}  // namespace weir::formats
