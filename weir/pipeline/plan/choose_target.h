#pragma once

#include <span>
#include <string>
#include <vector>

#include "weir/compute/target.h"
#include "weir/pipeline/plan/graph.h"

namespace weir::pipeline {

/// The target of a run and how it came to be the one.
struct TargetChoice {
  std::vector<compute::Target> targets;  ///< At least one; devices of one kind share the inputs.
  bool automatic = false;                ///< Chosen by us: the CPU may take over when it fails.
  std::string reason;                    ///< One line, when automatic.

  const compute::Target& first() const { return targets.front(); }
  std::string names() const;  ///< "cuda:0", "cuda:0, cuda:1".
};

/// The nodes of `graph` that run on `target`: those with kernels whose parents run there too. None
/// for the CPU.
std::vector<bool> nodes_on(const Graph& graph, const compute::Target& target);

/// The target called `wish`; "auto" (or what WEIR_TARGET says, where the wish is "auto") is the one
/// that is expected to finish these graphs first, going by coarse figures of what a sample costs.
/// Devices that are this machine's processor under another name are never chosen.
/// Errors: as `compute::find_targets`, naming `execution.target`.
TargetChoice choose_target(const std::string& wish, std::span<const Graph* const> graphs,
                           std::int64_t threads);

}  // namespace weir::pipeline
