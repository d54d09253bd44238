#pragma once

#include <string>

#include "weir/core/recording.h"
#include "weir/core/value.h"

namespace weir::cli {

/// What a person wants to know about a recording, as a table. `every_channel` lists all of them
/// even when they are many.
struct SummaryOptions {
  bool every_channel = false;
};
std::string summary_text(const RecordingInfo& info, const SummaryOptions& options = {});

/// The same and more for programs.
Value summary_json(const RecordingInfo& info);

}  // namespace weir::cli
