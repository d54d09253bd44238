#pragma once

#include <memory>

#include "weir/formats/event_source.h"

namespace weir::formats {

/// A source whose rows lie in memory, in any order when given: they are sorted, `final` is set, and
/// `info.count` too. Segments of no known length (`info.table.stream.segments[i].frames` < 0)
/// become as long as their last event. Errors: `unsupported` beyond `kMostHeldEvents` rows or
/// `kMostLabels` channels.
std::unique_ptr<EventSource> make_stored_events(EventStreamInfo info, EventList events);

/// The event that `row` is: the inverse of `to_row` for a table whose channels have gain 1 and
/// offset 0. `segment` is the index in `table.stream.segments`.
/// Errors: `corrupt_data` "field: what is wrong": samples beyond 2^62 or before the segment's
/// first, an offset before the onset, channels the table has not.
Event from_row(const EventRow& row, std::uint32_t segment, const EventTableInfo& table);

}  // namespace weir::formats
