#include "weir/pipeline/plan/place_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <thread>
#include <utility>

#include "weir/pipeline/plan/size_input.h"

namespace weir::pipeline {
namespace {
std::int64_t thread_count(const Execution& execution) {
  const auto cores = static_cast<std::int64_t>(std::max(1U, std::thread::hardware_concurrency()));
  return execution.threads > 0 ? execution.threads : cores;
}

std::int64_t bytes_of(const StreamInfo& stream) {
  return stream.total_frames() * stream.channel_count() *
         static_cast<std::int64_t>(size_of(stream.type));
}

void choose_shares(PlanData& data) {
  std::vector<std::int64_t> sizes;
  sizes.reserve(data.inputs.size());
  for (const auto& input : data.inputs) {
    sizes.push_back(bytes_of(input.graph.in));
  }
  const std::size_t shares = std::min(data.target.targets.size(), data.inputs.size());
  const auto share = share_out(sizes, shares);
  for (std::size_t i = 0; i < data.inputs.size(); ++i) {
    data.inputs[i].share = share[i];
  }
  data.shares = static_cast<std::int64_t>(shares);
}

void place_input(const PlanData& data, std::size_t cap, InputPlan& input) {
  const compute::Target& target = data.target.targets[input.share];
  auto on_device = nodes_on(input.graph, target);
  if (std::find(on_device.begin(), on_device.end(), true) == on_device.end()) {
    input.place = size_on_host(data, input, cap);
    return;
  }
  input.place = size_on_device(data, input, target, on_device, cap);
  if (!data.target.automatic && !data.options.fall_back) {
    return;
  }
  input.fallback = size_on_host(data, input, cap);
  const MemoryBudget& device = input.place.device_budget;
  if (device.claimed() > device.cap() || input.place.budget.claimed() > cap) {
    input.input.warnings.push_back(
        fmt::format("runs on the cpu: {} has no room for it", target.name));
    input.place = *std::exchange(input.fallback, std::nullopt);
  }
}
}  // namespace

std::vector<std::size_t> share_out(std::span<const std::int64_t> sizes, std::size_t shares) {
  std::vector<std::size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t i) { return sizes[i]; });
  std::vector<std::int64_t> load(shares, 0);
  std::vector<std::size_t> share(sizes.size());
  for (const std::size_t i : order) {
    const auto least = std::ranges::min_element(load);
    share[i] = static_cast<std::size_t>(least - load.begin());
    *least += std::max<std::int64_t>(1, sizes[i]);  // Empty inputs are spread too.
  }
  return share;
}

void place_inputs(PlanData& data, std::size_t cap) {
  data.threads = thread_count(data.spec.execution);
  std::vector<const Graph*> graphs;
  graphs.reserve(data.inputs.size());
  for (const auto& input : data.inputs) {
    graphs.push_back(&input.graph);
  }
  data.target = choose_target(data.spec.execution.target, graphs, data.threads);
  choose_shares(data);
  data.threads = std::max<std::int64_t>(1, data.threads / data.shares);
  for (auto& input : data.inputs) {
    place_input(data, cap / static_cast<std::size_t>(data.shares), input);
  }
}

}  // namespace weir::pipeline
