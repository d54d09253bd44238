#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "weir/pipeline/plan/device_graph.h"
#include "weir/pipeline/run/departure.h"
#include "weir/pipeline/run/engine.h"
#include "weir/pipeline/run/event_mailbox.h"
#include "weir/pipeline/run/graph_run.h"

namespace weir::pipeline {

/// Runs the part of a graph that has kernels on a device, and what hangs below it on the CPU.
///
/// Every chunk is a wave: uploaded as it is stored, computed node by node into rooms that the next
/// wave uses again, and what is kept of it downloaded, by three queues that wait for one another on
/// the device. While a wave is uploaded, the one before is computed, and the host hands on what
/// came back of the one before that. The state of every step stays on the device.
class DeviceEngine final : public Engine {
 public:
  DeviceEngine(EngineParts parts, std::shared_ptr<compute::Device> device);
  ~DeviceEngine() override;

  const ChunkRing& ring() const noexcept override { return ring_; }
  void attach(const std::vector<std::unique_ptr<Output>>& outputs) override;
  void begin(std::int64_t segment) override;
  void push(const Chunk& chunk) override;
  void finish() override;
  void save(op::ByteWriter& to) override;
  void load(op::ByteReader& from) override;
  std::vector<op::Counter> counters() const override;
  LinkReport link() const override;

 private:
  /// What a step on the device that hears has beside it: it runs once the events of a wave have
  /// come back, on a queue of its own.
  struct Late {
    std::unique_ptr<EventMailbox> mailbox;  ///< Of this segment.
    std::int64_t given = 0;                 ///< Frames, of this segment.
    std::vector<Sink*> sinks;
    SnippetFan snippets{sinks};
  };
  /// A node on the device.
  struct Node {
    std::unique_ptr<op::DevicePlace> place;
    op::DeviceBlock room;
    EventDeparture* events = nullptr;  ///< For nodes that emit events.
    std::vector<Departure*> departures;
    std::unique_ptr<op::DeviceStep> step;  ///< Of this segment; null where it only relabels.
    std::unique_ptr<Late> late;            ///< For steps that hear.
  };
  /// Room for a chunk on the device.
  struct Arrival {
    compute::Buffer buffer;
    compute::Fence read;  ///< The kernels that read it have run.
  };
  /// What one chunk, or one stretch of a tail, makes of the nodes.
  struct Wave {
    std::size_t slot = 0;
    std::vector<op::DeviceEmission> out;                  ///< By node.
    std::vector<bool> ran;                                ///< By node.
    std::optional<op::DeviceBlock> chunk = std::nullopt;  ///< Where it is no stretch of a tail.
  };
  /// A wave whose downloads are under way.
  struct Leaving {
    std::size_t slot = 0;
    std::vector<Departure*> departures;
    compute::Fence arrived;
  };
  /// Steps on the CPU below one node.
  struct Branch {
    HostBranch part;
    std::unique_ptr<GraphRun> run;
    ChunkDeparture* chunks = nullptr;  ///< Where chunks wait, below the reader.
  };

  void make_nodes();
  void make_kernels();
  void make_departures(const std::vector<std::unique_ptr<Output>>& outputs);
  void depart(std::int64_t node, std::unique_ptr<Departure> departure, std::int64_t output);
  void make_branches();
  void make_late();
  void begin_branch(Branch& branch);
  void listen(std::int64_t detector, Sink& into);
  void begin_late(std::int64_t node);
  void run_late(std::int64_t node, const op::DeviceBlock& in);
  void finish_late();
  std::size_t free_slot();
  Wave new_wave();
  op::DeviceBlock upload(const Chunk& chunk);
  void run_node(std::int64_t index, const op::DeviceBlock& in, Wave& wave);
  void run_children(std::int64_t parent, const op::DeviceBlock& block, Wave& wave);
  compute::Fence leave(const Wave& wave);
  void hand_on_all_but(std::size_t under_way);
  void push_on_host(AnyBlock block, Branch& branch) const;
  op::StartPoint start_of(std::int64_t node) const;
  void count(std::int64_t node);
  bool on_device(std::int64_t node) const { return parts_.place.on_device[index_of(node)]; }
  static std::size_t index_of(std::int64_t node) { return static_cast<std::size_t>(node); }

  EngineParts parts_;
  std::shared_ptr<compute::Device> device_;
  GraphSizes sizes_;
  ChunkRing ring_;
  std::unique_ptr<compute::Queue> upload_;
  std::unique_ptr<compute::Queue> compute_;
  std::unique_ptr<compute::Queue> download_;
  std::unique_ptr<compute::Queue> late_;
  std::vector<Arrival> arrivals_;
  std::vector<Node> nodes_;
  std::vector<std::unique_ptr<Departure>> departures_;
  std::map<std::int64_t, const Departure*> departure_of_output_;
  std::vector<Departure*> reader_departures_;
  std::vector<Output*> reader_outputs_;
  std::vector<std::pair<std::int64_t, Output*>> branch_outputs_;  ///< By node of the graph.
  std::vector<Branch> branches_;  ///< Who finds events before who takes them.
  std::deque<Leaving> leaving_;
  std::vector<op::Counter> counters_;  ///< Of the steps on the device, at the segment's end.
  std::int64_t segment_ = 0;
  std::int64_t chunks_ = 0;
  std::int64_t waves_ = 0;
  LinkReport link_;
};

}  // namespace weir::pipeline
