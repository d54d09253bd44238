#pragma once

#include "weir/testing/given_events.h"
#include "weir/testing/samples.h"

namespace weir::testing {

/// Events of one segment from golden data: rows of onset, offset (-1: open), peak, final sample and
/// channel, in the order of rows.
GivenEvents table_events(const Samples& table, const StreamInfo& stream, std::int64_t lag_frames);

}  // namespace weir::testing
