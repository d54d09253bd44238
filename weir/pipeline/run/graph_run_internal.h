#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "weir/pipeline/run/event_mailbox.h"
#include "weir/pipeline/run/graph_run.h"
#include "weir/pipeline/run/lane.h"

namespace weir::pipeline {

/// One node (or the reader) of a running graph: what all threads share.
struct GraphRun::NodeRun {
  op::Parallel parallel = op::Parallel::channels;
  bool relabels = false;
  std::int64_t longest_in = 0;       ///< Frames one tile can bring.
  std::int64_t longest_out = 0;      ///< Frames it can emit for them.
  std::vector<ChannelGroup> groups;  ///< Of its output.
  /// One a group; one in all for `Parallel::none`; none for `Parallel::frames`.
  std::vector<std::unique_ptr<op::StepRun>> runs;
  std::deque<Lane> lanes;  ///< One a group: the order of tiles in what hangs below by groups.
  std::unique_ptr<EventMailbox> mailbox;  ///< Of the events input, if the step has one.
  Lane entry;  ///< The order of tiles in a step across channels with state.
  std::vector<Sink*> sinks;
  SnippetFan snippets{sinks};
  std::vector<std::int64_t> channel_children;
  std::vector<std::int64_t> wide_children;
};

/// What one thread works with: nothing here outlives a tile. By node, the reader first.
struct GraphRun::Desk {
  std::vector<Buffer> rooms;  ///< Output of one group; of all channels for steps across channels.
  std::vector<std::unique_ptr<Gather>> gathers;   ///< Where groups meet, if a child needs them to.
  std::vector<std::unique_ptr<op::State>> slots;  ///< For `Parallel::frames`.
  /// Steps with an events input and what they get of this tile, once all else is done with it: then
  /// whoever finds their events has seen the tile too.
  std::vector<std::pair<std::int64_t, AnyBlock>> put_off;
};

/// Who carries a tile.
struct GraphRun::Seat {
  Desk* desk;
  Desk* meeting;  ///< Whose gathers are used: at the end of a segment several threads share one.
  std::int64_t tile;  ///< Its place in the push.
};

/// Where a tile is.
struct GraphRun::Place {
  std::int64_t node;
  std::size_t group;
  const Seat& seat;
};

inline std::size_t index_of(std::int64_t node) {
  return static_cast<std::size_t>(node + 1);
}

}  // namespace weir::pipeline
