#pragma once

#include <string>
#include <vector>

namespace weir::cli {

/// One event as a picture shows it.
struct EventMark {
  std::string channel_name;
  double time_s = 0;  ///< On the recording's clock.
  bool up = false;    ///< Polarity above.
};

/// The rows of an event table in CSV, as `crossings` writes them.
/// Errors: `not_found`, `io`; `corrupt_data` naming file, row and what is missing.
std::vector<EventMark> read_event_marks(const std::string& path);

}  // namespace weir::cli
