#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "weir/op/bytes.h"
#include "weir/op/step.h"
#include "weir/pipeline/plan/plan_data.h"
#include "weir/pipeline/run/chunk_reader.h"
#include "weir/pipeline/run/output.h"
#include "weir/pipeline/run/threads.h"

namespace weir::pipeline {

/// What an engine needs to know of the input whose graph it runs.
struct EngineParts {
  const InputPlan& plan;
  const Placement& place;
  const Graph& graph;  ///< The plan's, with fitted steps.
  std::vector<ChannelGroup> groups;
  Threads& threads;
};

/// What moved over a device's link, and how long the computing waited for it.
struct LinkReport {
  std::int64_t uploaded_bytes = 0;
  std::vector<std::int64_t> downloaded_bytes;  ///< By output of the plan.
  double wait_s = 0;
  double kernels_s = 0;  ///< Until all kernels were compiled, or found compiled.
};

/// Carries the chunks of one input through its graph into its outputs, segment after segment.
class Engine {
 public:
  virtual ~Engine() = default;
  /// Where chunks are to be read into.
  virtual const ChunkRing& ring() const noexcept = 0;
  /// A plan's outputs, null where nothing is to be written. Lives: until the run ends. Called once.
  virtual void attach(const std::vector<std::unique_ptr<Output>>& outputs) = 0;

  /// Every node starts afresh, at the segment's first frame.
  virtual void begin(std::int64_t segment) = 0;
  /// The next frames of the segment. After an exception the engine is of no more use.
  virtual void push(const Chunk& chunk) = 0;
  /// End of the segment.
  virtual void finish() = 0;

  /// The state of every node; what was pushed has reached the outputs.
  virtual void save(op::ByteWriter& to) = 0;
  /// Goes on from there, right after `begin`.
  virtual void load(op::ByteReader& from) = 0;
  /// What the steps counted in this segment, with the name of the node.
  virtual std::vector<op::Counter> counters() const = 0;
  virtual LinkReport link() const { return {}; }
};

std::unique_ptr<Engine> make_host_engine(EngineParts parts);
/// Errors: `device` where it cannot be opened or has no room; `unsupported`.
std::unique_ptr<Engine> make_device_engine(EngineParts parts,
                                           std::shared_ptr<compute::Device> device);

}  // namespace weir::pipeline
