#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/core/event.h"
#include "weir/formats/event_table.h"

namespace weir::formats {

/// Where events come from: edges of digital lines, texts somebody or some program set, rows a
/// detector wrote.
enum class EventKind { ttl, annotations, table };
std::string_view name(EventKind kind) noexcept;

/// Everything about a stream of events but its rows.
struct EventStreamInfo {
  std::string name;    ///< Among the streams of its file.
  std::string format;  ///< Name of the format that found it.
  EventKind kind = EventKind::table;
  /// Whose samples the events count. `stream.rate` is the clock, `stream.segments` lie on the
  /// recording's clock (a file without a recording beside it: as long as its last event),
  /// `stream.channels` are the lines, or the distinct texts in the order of their first appearance.
  EventTableInfo table;
  /// Rows; empty when only reading the whole file would tell. Then a listing may also lack the
  /// texts; an opened stream never does.
  std::optional<std::int64_t> count;
  std::vector<std::string> warnings;  ///< What was odd, each naming the file.
};

/// The order of the rows of a source: segments one after the other, in each `row_before`.
inline bool row_before_in_table(const Event& a, const Event& b) noexcept {
  return a.segment != b.segment ? a.segment < b.segment : row_before(a, b);
}

/// Random access to the events of one stream.
/// An edge of a line is an event of no duration with polarity +1 (rising) or -1 (falling). An
/// annotation has polarity +1; without a duration its offset is its onset. What was on when the
/// segment ended is open. `final` is the offset, or the segment's end: files do not store it.
/// Threads: every member may be called from several threads at once.
class EventSource {
 public:
  virtual ~EventSource() = default;
  virtual const EventStreamInfo& info() const noexcept = 0;

  /// Appends the rows [first, first + count) in the order of `row_before_in_table`; fewer only
  /// where the stream ends. Errors: `io`, `corrupt_data` naming file and place.
  /// Cost: where `info().count` is empty, a row far from those read before may take a scan of what
  /// lies between.
  virtual void read(std::int64_t first, std::int64_t count, EventList& events) const = 0;

  /// Anonymous memory the source holds.
  virtual std::size_t held_bytes() const noexcept { return 0; }
};

/// The most rows a source holds in memory, and the most distinct texts it tells apart.
inline constexpr std::int64_t kMostHeldEvents = std::int64_t{1} << 26;
inline constexpr std::int64_t kMostLabels = std::int64_t{1} << 16;

/// The stream that `wanted` names, or the only one when it is empty. Errors: `not_found` listing
/// the names, also when there is none; `invalid_spec` when one of several must be named.
std::size_t choose_events(const std::vector<EventStreamInfo>& streams, std::string_view wanted,
                          std::string_view path);

}  // namespace weir::formats
