#pragma once

#include <cstdint>
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
/// Steps whose channels are independent run group by group, a whole subtree of them on one group's
/// rows while those are in cache; steps that work across channels share a tile out by rows. Between
/// the two kinds all groups meet.
class GraphRun {
 public:
  /// `max_frames`: the longest tile `push` will be given.
  GraphRun(const Graph& graph, const GraphStart& start, std::int64_t max_frames,
           std::span<const ChannelGroup> groups, Threads& threads);
  ~GraphRun();

  /// `sink` gets what `node` (or the reader, `kReader`) emits. Lives: until the run ends.
  void attach(std::int64_t node, Sink& sink);
  void push(AnyBlock tile);
  void finish();

  void save(op::ByteWriter& to) const;
  void load(op::ByteReader& from);
  /// What the steps counted, with the name of the node.
  std::vector<op::Counter> counters() const;

 private:
  struct NodeRun;
  NodeRun& at(std::int64_t node);
  void make_node(std::int64_t index, const GraphStart& start, const GraphSizes& sizes);
  void push_group(std::int64_t node, std::size_t group, AnyBlock block);
  void emit(std::int64_t node, std::size_t group, AnyBlock block);
  op::Receiver receiver(std::int64_t node, std::size_t group);
  void push_wide(std::int64_t node, AnyBlock block);
  void run_slice(std::int64_t node, std::int64_t slice, AnyBlock block);
  void settle(std::int64_t node);
  void finish_below(std::int64_t node);
  void finish_groups(std::int64_t node, std::int64_t root);
  void finish_wide_children(std::int64_t node);
  bool finish_round(std::int64_t node);

  const Graph& graph_;
  Threads& threads_;
  std::vector<ChannelGroup> groups_;
  std::vector<std::unique_ptr<NodeRun>> nodes_;  ///< The reader first, then the graph's nodes.
};

}  // namespace weir::pipeline
