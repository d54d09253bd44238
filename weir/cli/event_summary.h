#pragma once

#include <string>
#include <vector>

#include "weir/core/value.h"
#include "weir/formats/event_source.h"

namespace weir::cli {

/// The event streams of a file as a table of name, kind, number, rate and labels; empty for none.
/// What only reading the whole file would tell is said to be unknown.
std::string event_lines(const std::vector<formats::EventStreamInfo>& streams);

/// The same for programs: `count` and `labels` are null where they are unknown.
Value events_json(const std::vector<formats::EventStreamInfo>& streams);

}  // namespace weir::cli
