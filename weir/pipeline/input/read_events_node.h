#pragma once

#include <string>
#include <vector>

#include "weir/core/error.h"
#include "weir/core/value.h"
#include "weir/op/schema.h"

namespace weir::pipeline {

/// The fields of a `read_events` node: events known beforehand.
struct ReadEvents {
  std::string path;    ///< May hold `{input}` and `{stem}`; empty: the file that `read` reads.
  std::string stream;  ///< Among the event streams of the file; empty: the only one.
  std::string format;  ///< Empty: detected.
  Value raw;           ///< As of `read`: `rate_hz` for tables that do not tell theirs.
};
const op::Schema<ReadEvents>& read_events_schema();

/// What is wrong with fields of the right types, before any file is opened. `alone`: no `read`
/// stands beside it.
void check_read_events(const ReadEvents& read, bool alone, const std::string& node,
                       std::vector<Problem>& problems);

}  // namespace weir::pipeline
