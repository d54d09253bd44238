#include "weir/formats/annotations_of.h"

#include <fmt/format.h>

#include <algorithm>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/frame_time.h"

namespace weir::formats {
namespace {
constexpr std::int64_t kPieceRows = std::int64_t{1} << 16;

Annotation annotation_of(const Event& event, const EventStreamInfo& info) {
  const EventRow row = to_row(event, info.table);
  Annotation annotation;
  annotation.onset_s = exact_seconds(row.onset_s);
  if (row.duration_s.value_or(0) > 0) {
    annotation.duration_s = exact_seconds(*row.duration_s);
  }
  const bool falls = info.kind == EventKind::ttl && event.polarity < 0;
  annotation.text = row.channel_name + (falls ? " off" : "");
  return annotation;
}
}  // namespace

std::vector<Annotation> annotations_of(const EventSource& events) {
  const EventStreamInfo& info = events.info();
  std::vector<Annotation> annotations;
  EventList piece;
  do {
    piece.clear();
    events.read(std::ssize(annotations), kPieceRows, piece);
    if (std::ssize(annotations) + std::ssize(piece) > kMostAnnotations) {
      throw Error(ErrorCode::unsupported,
                  fmt::format("events: \"{}\" has more than {} rows, which is all that a recording "
                              "takes with it; write them to a table",
                              printable(info.name), grouped(kMostAnnotations)));
    }
    for (const Event& event : piece) {
      annotations.push_back(annotation_of(event, info));
    }
  } while (!piece.empty());
  std::stable_sort(annotations.begin(), annotations.end(),
                   [](const Annotation& a, const Annotation& b) { return a.onset_s < b.onset_s; });
  return annotations;
}

}  // namespace weir::formats
