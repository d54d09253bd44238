#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weir/core/event.h"
#include "weir/core/stream.h"

namespace weir::formats {

/// What turns detector events into table rows.
struct EventTableInfo {
  StreamInfo stream;  ///< Whose samples and channels the events count.
};

/// One row as users see it.
struct EventRow {
  std::int32_t channel = 0;
  std::string channel_name;
  std::uint64_t onset_sample = 0;
  std::optional<std::uint64_t> offset_sample;
  std::uint64_t peak_sample = 0;
  float peak_value = 0;  ///< Physical.
  double onset_s = 0;    ///< On the recording's clock.
  std::optional<double> offset_s;
  std::optional<double> duration_s;
  std::uint32_t segment = 0;
  std::int8_t polarity = 0;
};

EventRow to_row(const Event& event, const EventTableInfo& table);

}  // namespace weir::formats
