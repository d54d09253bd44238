#include <fmt/format.h>

#include "weir/testing/probe.h"

namespace weir::testing {

/// How late events come is the plan's affair: another lag may move when rows come out, nothing
/// else.
void find_broken_events(const Probe& probe, Findings& findings) {
  const op::Step& step = *probe.bound.step;
  if (!step.hears()) {
    return;
  }
  if (!probe.bound.events) {
    findings.push_back(fmt::format("{}: hears events, but was given none", probe.label));
    return;
  }
  if (step.grid_frames() != 1 || step.parallel() != op::Parallel::none) {
    findings.push_back(fmt::format(
        "{}: a step that hears events works across channels without a grid", probe.label));
    return;
  }
  for (const std::int64_t lag : {0, 1, 200, 5000}) {
    GivenEvents events = *probe.bound.events;
    events.input.lag_frames = lag;
    BoundStep bound = bind(probe.op, probe.params, probe.stream, events);
    fit(bound, probe.data.block(), {});
    for (const auto& cuts : {Cuts{}, Cuts{.frames = {31, 1, 400}, .reload_state = true}}) {
      const std::string text = difference(run_bound(bound, probe.data.block(), cuts), probe.whole);
      if (!text.empty()) {
        findings.push_back(
            fmt::format("{}: the answer depends on how late events come ({} frames): {}",
                        probe.label, lag, text));
        return;
      }
    }
  }
}

}  // namespace weir::testing
