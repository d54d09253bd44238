#include "weir/pipeline/run/output.h"

#include "weir/core/error.h"
#include "weir/pipeline/run/event_output_internal.h"
#include "weir/pipeline/run/signal_output_internal.h"
#include "weir/pipeline/run/snippet_output_internal.h"

namespace weir::pipeline {

std::unique_ptr<Output> Output::make(const PlannedOutput& plan, const Graph& graph,
                                     std::size_t groups, std::int64_t capacity,
                                     std::int64_t stage_bytes, std::vector<std::byte> resume_from) {
  if (plan.source != nullptr) {
    return std::make_unique<TableToFile>(plan, std::move(resume_from));
  }
  if (plan.events) {
    return std::make_unique<EventsToFile>(plan, groups, std::move(resume_from));
  }
  if (plan.snippets) {
    return std::make_unique<SnippetsToFile>(plan, std::move(resume_from));
  }
  return std::make_unique<SignalToFile>(plan, graph.stream(plan.from), groups, capacity,
                                        stage_bytes, std::move(resume_from));
}

void Output::converted(AnyBlock, std::int64_t) {
  WEIR_CHECK(false);  // Only signals are converted.
}

}  // namespace weir::pipeline
