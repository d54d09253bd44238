#include <atomic>

#include "weir/pipeline/run/graph_run.h"
#include "weir/pipeline/run/graph_run_internal.h"

// The end of a segment: every step emits the tail it held back, parents before children. A step's
// groups run at once, a round of them between two turns of the sinks, for a tail can be as long as
// the segment.
namespace weir::pipeline {

/// One more stretch of the tail of every group of `node`; true when those were the last.
bool GraphRun::finish_round(std::int64_t node) {
  NodeRun& run = at(node);
  std::atomic<bool> done{true};
  std::atomic<std::size_t> next{0};
  threads_.run(threads_.count(), [&](std::int64_t worker) {
    const Seat seat{desks_[static_cast<std::size_t>(worker)].get(), desks_.front().get(), 0};
    for (std::size_t group = next++; group < run.runs.size(); group = next++) {
      const Place place{node, group, seat};
      lend_room(place);
      if (!run.runs[group]->finish_some(receiver(place))) {
        done = false;
      }
    }
  });
  return done;
}

/// What met below `node` goes on through the steps across channels, as a tile of its own.
void GraphRun::finish_gathered(std::int64_t node) {
  const AnyBlock one_tile(SampleType::float32, nullptr, 1, 0, 0);
  share_out(one_tile, 1, [this, node](AnyBlock, const Seat& seat) {
    if (Gather* gather = seat.meeting->gathers[index_of(node)].get()) {
      const AnyBlock block = gather->take();
      for (const std::int64_t wide : at(node).wide_children) {
        into_wide(wide, block, seat);
      }
    }
    into_gathered(node, seat);
  });
}

void GraphRun::finish_node(std::int64_t node) {
  NodeRun& run = at(node);
  if (run.relabels || run.parallel == op::Parallel::frames) {
    return;
  }
  for (bool done = false; !done;) {
    done = finish_round(node);
    if (run.parallel == op::Parallel::channels) {
      finish_gathered(node);
    } else if (Gather* gather = desks_.front()->gathers[index_of(node)].get()) {
      share_out(gather->take(), run.longest_out,
                [this, node](AnyBlock tile, const Seat& seat) { push_wide(node, tile, seat); });
    } else {
      turn_over();
    }
  }
}

/// In the order of the graph: what feeds a step, with rows or with events, stands before it.
void GraphRun::finish() {
  for (std::int64_t node = 0; node < graph_.size(); ++node) {
    finish_node(node);
  }
}

}  // namespace weir::pipeline
