#include "weir/pipeline/plan/choose_target.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/pipeline/plan/device_graph.h"

namespace weir::pipeline {
namespace {
// Coarse, from docs/benchmarks.md: what a step takes for a sample on one thread, what threads are
// good for, what it takes to open a device with its kernels in the cache, and what an ordinary
// link carries.
constexpr double kStepSeconds = 0.5e-9;
constexpr double kUsefulThreads = 8;
constexpr double kOpenSeconds = 0.6;
constexpr double kLinkBytesPerSecond = 10e9;

struct Work {
  double device_samples = 0;  ///< Samples times the steps that have kernels.
  double host_samples = 0;    ///< Samples times the others.
  double bytes = 0;           ///< Over the link.
};

Work work_on(std::span<const Graph* const> graphs, const compute::Target& target) {
  Work work;
  for (const Graph* graph : graphs) {
    const auto samples_of = [](const StreamInfo& stream) {
      return static_cast<double>(stream.total_frames()) *
             static_cast<double>(stream.channel_count());
    };
    const auto on_device = nodes_on(*graph, target);
    for (std::int64_t i = 0; i < graph->size(); ++i) {
      const double samples = samples_of(graph->stream(graph->node(i).parent));
      (on_device[static_cast<std::size_t>(i)] ? work.device_samples : work.host_samples) += samples;
    }
    work.bytes += 2 * samples_of(graph->in) * static_cast<double>(size_of(graph->in.type));
  }
  return work;
}

double host_seconds(double samples, std::int64_t threads) {
  return samples * kStepSeconds / std::min(static_cast<double>(threads), kUsefulThreads);
}

compute::Target processor() {
  return compute::find_target("cpu");
}

/// Among the devices that can be used: CUDA before OpenCL, and the first of each.
const compute::Target* best_device(const std::vector<compute::Target>& targets) {
  for (const auto kind : {compute::TargetKind::cuda, compute::TargetKind::opencl}) {
    for (const auto& target : targets) {
      if (target.kind == kind && target.usable() && !target.is_processor) {
        return &target;
      }
    }
  }
  return nullptr;
}

TargetChoice choose(std::span<const Graph* const> graphs, std::int64_t threads) {
  compute::Target any;  // As able as a device can be.
  any.kind = compute::TargetKind::cuda;
  any.fp64 = true;
  const Work most = work_on(graphs, any);
  const double on_cpu = host_seconds(most.device_samples + most.host_samples, threads);
  if (most.device_samples == 0) {
    return {{processor()}, true, "no step of this pipeline has device kernels"};
  }
  if (on_cpu < kOpenSeconds) {
    return {
        {processor()},
        true,
        fmt::format("about {} of work, less than opening a device takes", duration_text(on_cpu))};
  }
  if (!compute::may_have_gpu()) {
    return {{processor()}, true, "there is no GPU here"};
  }
  const auto targets = compute::list_targets();
  const compute::Target* device = best_device(targets);
  if (device == nullptr) {
    return {{processor()}, true, "no GPU can be used here (weir targets says why)"};
  }
  const Work work = work_on(graphs, *device);
  const double on_device = kOpenSeconds + std::max(work.bytes / kLinkBytesPerSecond,
                                                   host_seconds(work.host_samples, threads));
  const bool faster = on_device < on_cpu;
  const std::string times = fmt::format("expected {} on {} ({}), {} on {} thread{}",
                                        duration_text(on_device), device->name, device->device,
                                        duration_text(on_cpu), threads, threads == 1 ? "" : "s");
  return {{faster ? *device : processor()}, true, times};
}
}  // namespace

std::string TargetChoice::names() const {
  std::vector<std::string> all;
  all.reserve(targets.size());
  for (const auto& target : targets) {
    all.push_back(target.name);
  }
  return fmt::format("{}", fmt::join(all, ", "));
}

std::vector<bool> nodes_on(const Graph& graph, const compute::Target& target) {
  std::vector<bool> on_device(static_cast<std::size_t>(graph.size()), false);
  if (target.kind == compute::TargetKind::cpu) {
    return on_device;
  }
  for (std::int64_t i = 0; i < graph.size(); ++i) {
    const GraphNode& node = graph.node(i);
    const bool parent = node.parent == kReader || on_device[static_cast<std::size_t>(node.parent)];
    on_device[static_cast<std::size_t>(i)] =
        parent && (node.step->relabels_only() || node.step->runs_on(target));
  }
  if (!try_host_branches(graph, on_device)) {
    on_device.assign(on_device.size(), false);
  }
  return on_device;
}

TargetChoice choose_target(const std::string& wish, std::span<const Graph* const> graphs,
                           std::int64_t threads) {
  const char* environment = std::getenv("WEIR_TARGET");
  const bool told = wish == "auto" && environment != nullptr && *environment != '\0';
  const std::string name = told ? environment : wish;
  if (name == "auto") {
    return choose(graphs, threads);
  }
  return in_context(told ? "WEIR_TARGET" : "execution.target",
                    [&] { return TargetChoice{compute::find_targets(name), false, {}}; });
}

}  // namespace weir::pipeline
