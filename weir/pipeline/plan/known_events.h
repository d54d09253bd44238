#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "weir/formats/event_source.h"
#include "weir/pipeline/plan/plan_data.h"

namespace weir::pipeline {

/// The event streams that `read_events` nodes of one input name, by node.
using EventSources = std::map<std::string, std::shared_ptr<const formats::EventSource>>;

/// Opens them, and adds their files and warnings to the input's. What cannot be opened becomes a
/// problem.
EventSources open_event_sources(const Spec& spec, const formats::FormatList& formats, Input& input,
                                std::vector<Problem>& problems);

/// The events of a source in samples of `in`: each time at the nearest sample (halves to even) of
/// the segment it lies in, final when its onset and peak have passed, as it is known beforehand.
/// What lies in no segment is left out and told of in `warnings`.
/// Errors: `out_of_memory` beyond `most_bytes`; as `EventSource::read`.
std::shared_ptr<const KnownEvents> known_events(const std::string& node,
                                                const formats::EventSource& source,
                                                const StreamInfo& in, std::size_t most_bytes,
                                                std::vector<std::string>& warnings);

}  // namespace weir::pipeline
