#include <fmt/format.h>

#include "weir/core/text.h"
#include "weir/pipeline/plan/plan.h"
#include "weir/pipeline/plan/plan_data.h"

namespace weir::pipeline {
namespace {
std::string stream_text(const StreamInfo& stream) {
  return fmt::format("{} ch, {}, {}", stream.channel_count(), rows_text(stream.axis, stream.rate),
                     name(stream.type));
}

std::string_view parallel_text(op::Parallel parallel) {
  switch (parallel) {
    case op::Parallel::channels:
      return "channels";
    case op::Parallel::frames:
      return "frames";
    case op::Parallel::none:
      break;
  }
  return "none";
}

/// Where a node runs: "on cuda:0", "parallel over channels".
std::string place_text(const InputPlan& input, std::int64_t index) {
  const Placement& place = input.place;
  if (place.uses_device() && place.on_device[static_cast<std::size_t>(index)]) {
    return fmt::format("on {}", place.target.name);
  }
  return fmt::format("{}parallel over {}", place.uses_device() ? "on the cpu, " : "",
                     parallel_text(input.graph.node(index).step->parallel()));
}

/// Every claim, largest or not, in the order of the graph.
std::string claims_text(const std::string& what, const MemoryBudget& budget) {
  std::string out = fmt::format("  {}: {} of {} claimed\n", what, bytes_text(budget.claimed()),
                                bytes_text(budget.cap()));
  for (const auto& claim : budget.claims()) {
    out += fmt::format("    {:>9}  {}\n", bytes_text(claim.bytes), claim.owner);
  }
  return out;
}

std::string chunk_text(const PlanData& data, const InputPlan& input) {
  const Placement& place = input.place;
  const std::string threads =
      fmt::format("{} thread{}", data.threads, data.threads == 1 ? "" : "s");
  if (!place.uses_device()) {
    return fmt::format("  chunks of {} frames, tiles of {}, {} on {}\n",
                       grouped(place.chunk_frames), grouped(place.tile_frames), threads,
                       place.target.name);
  }
  const double chunk_s = data.spec.execution.chunk_s;
  const double length_s = input.graph.in.rate.seconds(place.chunk_frames);
  const std::string several = chunk_s > 0 && length_s > 1.5 * chunk_s
                                  ? fmt::format(" ({:.0f} of chunk_s at once)", length_s / chunk_s)
                                  : std::string();
  return fmt::format("  chunks of {} frames{} on {} ({}), {} beside it\n",
                     grouped(place.chunk_frames), several, place.target.name, place.target.device,
                     threads);
}

std::string output_text(const InputPlan& input, const PlannedOutput& output) {
  const StreamInfo& stream = input.graph.stream(output.from);
  if (output.events) {
    return fmt::format("events of {} ch at {}, {}", stream.channel_count(), stream.rate.text(),
                       output.format->name);
  }
  if (output.snippets) {
    return fmt::format("snippets of {} frames, {}, {} and csv", output.snippet.frames,
                       stream_text(output.snippet.stream), output.format->name);
  }
  return fmt::format("{}, {} {}, {}", stream_text(output.recording.stream),
                     grouped(stream.total_frames()),
                     stream.axis == Axis::time_s ? "frames" : "rows", output.format->name);
}

std::string gives_text(const Graph& graph, std::int64_t index) {
  switch (graph.kind(index)) {
    case op::PortKind::events:
      return "events";
    case op::PortKind::snippets:
      return "snippets";
    case op::PortKind::signal:
      break;
  }
  return stream_text(graph.stream(index));
}

/// Where a node's events come from, and how late.
std::string events_text(const Graph& graph, const EventsLink& link) {
  const std::string from = link.known ? link.known->node : graph.node(link.node).name;
  return fmt::format(", events of {}{}", from,
                     link.lag_frames > 0
                         ? fmt::format(" up to {} frames late", grouped(link.lag_frames))
                         : std::string());
}

void node_lines(const InputPlan& input, std::int64_t index, std::string& out) {
  const GraphNode& node = input.graph.node(index);
  const op::Step& step = *node.step;
  const auto latency = step.latency();
  const std::string what = gives_text(input.graph, index);
  out += fmt::format("  {:<14} {:<17} {}", node.name, input.ops[static_cast<std::size_t>(index)],
                     what);
  if (node.events) {
    out += events_text(input.graph, *node.events);
  }
  if (latency.steady > 0) {
    out += fmt::format(", holds back {} frames", grouped(latency.steady));
  }
  if (step.grid_frames() > 1) {
    out += fmt::format(", grid {} frames", grouped(step.grid_frames()));
  }
  if (step.fit() != op::Fit::none) {
    out += ", fitted first";
  }
  const Rational delay = input.graph.delay_to(index);
  if (input.graph.emits_events(index) && delay > Rational(0)) {
    out += fmt::format(", {} frames late by the filters above", delay.text());
  }
  out += fmt::format(", {}\n", place_text(input, index));
  for (const auto& decision : step.decisions()) {
    out += fmt::format("  {:<14} {:<17}   {}\n", "", "", decision);
  }
}

void input_lines(const PlanData& data, const InputPlan& input, std::string& out) {
  const StreamInfo& in = input.graph.in;
  const std::string length =
      in.axis == Axis::time_s
          ? fmt::format("frames ({})", duration_text(in.rate.seconds(in.total_frames())))
          : std::string("rows");
  out += fmt::format("input {}: {}, {} segment{}, {} {}\n", printable(input.input.name),
                     stream_text(in), in.segments.size(), in.segments.size() == 1 ? "" : "s",
                     grouped(in.total_frames()), length);
  for (std::int64_t i = 0; i < input.graph.size(); ++i) {
    node_lines(input, i, out);
  }
  for (const auto& output : input.outputs) {
    out += fmt::format("  {:<14} {:<17} {} -> {}\n", output.node, "write",
                       output_text(input, output), printable(output.path.string()));
  }
  out += chunk_text(data, input);
  if (!data.target.reason.empty()) {
    out += fmt::format("  target chosen: {}\n", data.target.reason);
  }
  out += claims_text("memory", input.place.budget);
  if (input.place.uses_device()) {
    out += claims_text("device memory", input.place.device_budget);
  }
  if (input.temporary_bytes > 0) {
    out += fmt::format("  temporary files: {}\n", bytes_text(input.temporary_bytes));
  }
  for (const auto& warning : input.input.warnings) {
    out += fmt::format("  warning: {}\n", printable(warning));
  }
}

Value stream_json(const StreamInfo& stream) {
  Value json = Value::object();
  json.set("channels", stream.channel_count());
  json.set("rate",
           Value::Array{stream.rate.exact().numerator(), stream.rate.exact().denominator()});
  json.set("axis", name(stream.axis));
  json.set("dtype", name(stream.type));
  json.set("frames", stream.total_frames());
  return json;
}

Value node_json(const InputPlan& input, std::int64_t index) {
  const GraphNode& node = input.graph.node(index);
  const op::Step& step = *node.step;
  Value json = Value::object();
  json.set("node", node.name);
  json.set("op", input.ops[static_cast<std::size_t>(index)]);
  json.set("gives", input.graph.kind(index) == op::PortKind::signal
                        ? stream_json(input.graph.stream(index))
                        : Value(gives_text(input.graph, index)));
  if (node.events) {
    const EventsLink& link = *node.events;
    json.set("events_of", link.known ? link.known->node : input.graph.node(link.node).name);
    json.set("events_lag_frames", link.lag_frames);
  }
  json.set("latency_frames", step.latency().steady);
  json.set("settle_frames", step.settle_frames());
  json.set("grid_frames", step.grid_frames());
  json.set("parallel", parallel_text(step.parallel()));
  json.set("on_device",
           input.place.uses_device() && input.place.on_device[static_cast<std::size_t>(index)]);
  json.set("tolerance", step.tolerance());
  json.set("fitted", step.fit() != op::Fit::none);
  Value decisions = Value::array();
  for (const auto& decision : step.decisions()) {
    decisions.push_back(decision);
  }
  json.set("decisions", decisions);
  return json;
}

/// "claims", "claimed_bytes" and "cap_bytes" of a budget.
void claims_json(const std::string& prefix, const MemoryBudget& budget, Value& json) {
  Value claims = Value::object();
  for (const auto& claim : budget.claims()) {
    claims.set(claim.owner, static_cast<std::int64_t>(claim.bytes));
  }
  json.set(prefix + "claims", claims);
  json.set(prefix + "claimed_bytes", static_cast<std::int64_t>(budget.claimed()));
  json.set(prefix + "cap_bytes", static_cast<std::int64_t>(budget.cap()));
}

Value input_json(const InputPlan& input) {
  Value json = Value::object();
  json.set("name", input.input.name);
  json.set("stream", stream_json(input.graph.in));
  Value nodes = Value::array();
  for (std::int64_t i = 0; i < input.graph.size(); ++i) {
    nodes.push_back(node_json(input, i));
  }
  json.set("nodes", nodes);
  Value outputs = Value::array();
  for (const auto& output : input.outputs) {
    Value one = Value::object();
    one.set("node", output.node);
    one.set("path", output.path.string());
    one.set("format", output.format->name);
    outputs.push_back(one);
  }
  json.set("outputs", outputs);
  const Placement& place = input.place;
  json.set("target", place.target.name);
  json.set("chunk_frames", place.chunk_frames);
  json.set("tile_frames", place.tile_frames);
  claims_json("", place.budget, json);
  if (place.uses_device()) {
    claims_json("device_", place.device_budget, json);
  }
  json.set("temporary_bytes", static_cast<std::int64_t>(input.temporary_bytes));
  return json;
}
}  // namespace

std::string Plan::text() const {
  std::string out;
  for (const auto& input : data_->inputs) {
    input_lines(*data_, input, out);
  }
  return out;
}

Value Plan::json() const {
  Value json = Value::object();
  json.set("target", data_->target.names());
  json.set("target_reason", data_->target.reason);
  json.set("threads", data_->threads);
  Value inputs = Value::array();
  for (const auto& input : data_->inputs) {
    inputs.push_back(input_json(input));
  }
  json.set("inputs", inputs);
  return json;
}

}  // namespace weir::pipeline
