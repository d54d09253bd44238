#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "weir/op/run_step.h"
#include "weir/pipeline/plan/graph.h"
#include "weir/pipeline/run/sink.h"
#include "weir/pipeline/run/threads.h"

namespace weir::pipeline {

/// Where a graph starts in a segment.
struct GraphStart {
  std::int64_t segment = 0;
  std::int64_t first_frame =
      0;  ///< Of the reader's stream; each node's own start must be a whole frame.
};

/// One graph running over one segment: carries tiles from the reader's stream through all steps
/// into sinks.
///
/// A tile stays with one thread from the reader to the sinks, so that its rows stay in that core's
/// cache; what hops from core to core is the steps' states. Steps whose channels are independent
/// run group by group, a whole subtree of them on one group's rows; a group's states (and its part
/// of the sinks) let the tiles through in order, so while one thread filters a tile's last groups
/// the next thread can be at the first groups of the following tile. There is no barrier before the
/// end of a push. Steps with an events input come last in a tile.
class GraphRun {
 public:
  /// `tile_frames`: how much one thread carries at once.
  GraphRun(const Graph& graph, const GraphStart& start, std::int64_t tile_frames,
           std::span<const ChannelGroup> groups, Threads& threads);
  ~GraphRun();

  /// `sink` gets what `node` (or the reader, `kReader`) emits. Lives: until the run ends.
  void attach(std::int64_t node, Sink& sink);
  /// Where the events of a detector outside of the graph go for `node`: all that the rows of a push
  /// make certain before that push.
  Sink& events_into(std::int64_t node);
  /// Any number of frames. After an exception the run is of no more use.
  void push(AnyBlock block);
  void finish();

  void save(op::ByteWriter& to) const;
  void load(op::ByteReader& from);
  /// What the steps counted, with the name of the node.
  std::vector<op::Counter> counters() const;

 private:
  struct NodeRun;
  struct Desk;
  struct Seat;
  struct Place;
  using Start = std::function<void(AnyBlock tile, const Seat& seat)>;
  NodeRun& at(std::int64_t node);
  void make_node(std::int64_t index, const op::StartPoint& start, const GraphSizes& sizes);
  void connect_events(std::int64_t index, std::int64_t segment, NodeRun& run);
  void make_desk(const GraphStart& start, const GraphSizes& sizes);
  std::int64_t useful_threads() const;
  void share_out(AnyBlock block, std::int64_t tile_frames, const Start& start);
  void carry(Desk& desk, AnyBlock block, std::int64_t tile_frames, const Start& start);
  op::Receiver receiver(const Place& place);
  void lend_room(const Place& place);
  void push_wide(std::int64_t node, AnyBlock block, const Seat& seat);
  void push_group(std::int64_t node, std::size_t group, AnyBlock block, const Seat& seat);
  void emit(std::int64_t node, std::size_t group, AnyBlock block, const Seat& seat);
  void into_wide(std::int64_t node, AnyBlock block, const Seat& seat);
  void run_wide(std::int64_t node, AnyBlock block, const Seat& seat);
  void run_put_off(const Seat& seat);
  void into_gathered(std::int64_t node, const Seat& seat);
  void turn_over();
  bool finish_round(std::int64_t node);
  void finish_gathered(std::int64_t node);
  void finish_node(std::int64_t node);

  const Graph& graph_;
  Threads& threads_;
  std::int64_t tile_frames_;
  std::vector<ChannelGroup> groups_;
  std::vector<std::unique_ptr<NodeRun>> nodes_;  ///< The reader first, then the graph's nodes.
  std::vector<std::unique_ptr<Desk>> desks_;     ///< One a thread.
  std::atomic<std::int64_t> next_tile_{0};
  std::atomic<bool> failed_{false};
  std::exception_ptr failure_;
};

}  // namespace weir::pipeline
