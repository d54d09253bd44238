#pragma once

#include <vector>

#include "weir/formats/event_source.h"
#include "weir/formats/writer.h"

namespace weir::formats {

/// The most rows that travel with a recording into its file.
inline constexpr std::int64_t kMostAnnotations = std::int64_t{1} << 20;

/// Every row as a text at a time: the name of its channel, with " off" where a line falls. In the
/// order of the onsets. Errors: `unsupported` beyond `kMostAnnotations` rows; as
/// `EventSource::read`.
std::vector<Annotation> annotations_of(const EventSource& events);

}  // namespace weir::formats
