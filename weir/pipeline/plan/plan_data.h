#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "weir/core/memory_budget.h"
#include "weir/formats/event_source.h"
#include "weir/formats/snippet_writer.h"
#include "weir/pipeline/plan/choose_target.h"
#include "weir/pipeline/plan/graph.h"
#include "weir/pipeline/plan/plan.h"
#include "weir/pipeline/spec/write_node.h"

namespace weir::pipeline {

/// Samples, events or snippets that leave the graph for a file.
struct PlannedOutput {
  std::string node;
  std::int64_t from = kReader;  ///< Graph node whose output is written.
  bool events = false;
  bool snippets = false;
  /// The table that is written, where no node finds the events.
  std::shared_ptr<const formats::EventSource> source = nullptr;
  const formats::Format* format = nullptr;
  std::filesystem::path path;
  formats::RecordingOutput recording;  ///< For signals.
  formats::EventOutput table;          ///< For events.
  formats::SnippetOutput snippet;      ///< For snippets.
  std::vector<std::int64_t> channels;  ///< Which channels of the stream, in output order.
  /// Per channel of the stream: float32 output is count * gain + offset, int16 output is
  /// round(count * gain).
  std::vector<float> gain;
  std::vector<float> offset;
  float shift = 0;  ///< Added to counts that become int16: -32768 where they have no sign.

  bool overwrite() const noexcept {
    return events ? table.overwrite : snippets ? snippet.overwrite : recording.overwrite;
  }
};

/// Where the graph of one input runs, and in what pieces.
struct Placement {
  compute::Target target;
  std::int64_t chunk_frames = 0;  ///< Read at once.
  std::int64_t push_frames = 0;   ///< Shared out among the threads between two meetings; a chunk on
                                  ///< a device.
  std::int64_t tile_frames = 0;   ///< Carried through the graph by one thread.
  std::int64_t stage_bytes = 0;   ///< Handed to a writer at once.
  MemoryBudget budget{0};
  /// By node: runs on the device. Empty on the CPU. What hangs below a node on the CPU does too.
  std::vector<bool> on_device;
  MemoryBudget device_budget{0};

  bool uses_device() const noexcept { return !on_device.empty(); }
};

/// One input and everything decided about it.
struct InputPlan {
  Input input;
  Graph graph;
  std::vector<std::string>
      ops;  ///< Operator of each graph node; "input form" for inserted conversions.
  std::vector<PlannedOutput> outputs;
  bool complete = false;  ///< An earlier run of the same has ended: nothing is left to do.
  /// Of the targets that share the inputs, the one that takes this: shares run side by side.
  std::size_t share = 0;
  Placement place;
  /// Where it runs when the device fails, if the choice was ours.
  std::optional<Placement> fallback;
  std::size_t temporary_bytes = 0;
};

struct PlanData {
  Spec spec;
  Value canonical;
  PlanOptions options;
  TargetChoice target;
  std::int64_t shares = 1;   ///< How many targets have inputs at the same time.
  std::int64_t threads = 1;  ///< For each of them.
  std::vector<InputPlan> inputs;
};

}  // namespace weir::pipeline
