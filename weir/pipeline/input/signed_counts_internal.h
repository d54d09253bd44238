#pragma once

#include <memory>

#include "weir/core/recording.h"

namespace weir::pipeline {

/// Counts of 16 bits without a sign as counts with one: 32768 less each, the offsets 32768 gains
/// more, so that every value is what it was and the counts travel as int16. Only where that makes
/// no channel's offset larger, which would cost float32 values their last digits; anything else is
/// returned as it is.
std::unique_ptr<RecordingSource> with_signed_counts(std::unique_ptr<RecordingSource> source);

}  // namespace weir::pipeline
