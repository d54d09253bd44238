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

/// What met below `node` goes on through the steps across channels, as a push of its own.
void GraphRun::finish_gathered(std::int64_t node) {
  for (const std::int64_t child : at(node).channel_children) {
    finish_gathered(child);
    if (Gather* gather = desks_.front()->gathers[index_of(child)].get()) {
      push_below(child, gather->take());
    }
  }
}

/// A block of all channels of `node` into its children across channels.
void GraphRun::push_below(std::int64_t node, AnyBlock block) {
  for (const std::int64_t wide : at(node).wide_children) {
    share_out(block, at(wide).longest_in,
              [this, wide](AnyBlock tile, const Seat& seat) { into_wide(wide, tile, seat); });
  }
}

void GraphRun::finish_groups(std::int64_t node, std::int64_t root) {
  for (const std::int64_t child : at(node).channel_children) {
    for (bool done = at(child).relabels; !done;) {
      done = finish_round(child);
      turn_over();
      finish_gathered(root);
    }
    finish_groups(child, root);
    finish_wide_children(child);
  }
}

void GraphRun::finish_wide_children(std::int64_t node) {
  for (const std::int64_t child : at(node).wide_children) {
    NodeRun& run = at(child);
    for (bool done = run.parallel == op::Parallel::frames; !done;) {
      done = finish_round(child);
      share_out(desks_.front()->gathers[index_of(child)]->take(), run.longest_out,
                [this, child](AnyBlock tile, const Seat& seat) { push_wide(child, tile, seat); });
    }
    finish_below(child);
  }
}

void GraphRun::finish_below(std::int64_t node) {
  finish_groups(node, node);
  finish_wide_children(node);
}

void GraphRun::finish() {
  finish_below(kReader);
}

}  // namespace weir::pipeline
