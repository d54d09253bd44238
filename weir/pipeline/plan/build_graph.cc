#include "weir/pipeline/plan/build_graph.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "weir/core/temporary_file.h"
#include "weir/pipeline/plan/convert_step.h"

namespace weir::pipeline {
namespace {
/// Spec nodes below `from`, in the order of the document.
std::vector<const Node*> consumers(const Spec& spec, const std::string& from) {
  std::vector<const Node*> found;
  for (const auto& node : spec.nodes) {
    for (const auto& edge : spec.edges) {
      if (edge.from == from && edge.to == node.id) {
        found.push_back(&node);
      }
    }
  }
  return found;
}

/// Plans a step. Where rows do not follow each other in time, only steps that take every row alone
/// have a meaning.
std::unique_ptr<op::Step> plan_step(const op::Operator& op, const Node& node,
                                    const op::StepContext& context) {
  if (context.in.axis == Axis::time_s) {
    return op.plan(node.params, context);
  }
  const auto refuse = [&](const std::string& why) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("{}; the rows of its input run along {}, where only steps that take "
                            "every row alone can stand",
                            why, name(context.in.axis)));
  };
  std::unique_ptr<op::Step> step;
  try {
    step = op.plan(node.params, context);
  } catch (const Error& error) {
    refuse(error.text());
  }
  if (step->parallel() != op::Parallel::frames || step->fit() != op::Fit::none) {
    refuse(fmt::format("{} needs frames that follow each other in time", node.op));
  }
  return step;
}

std::shared_ptr<const std::vector<EventList>> all_of(std::shared_ptr<const KnownEvents> known) {
  const auto* segments = &known->segments;
  return {std::move(known), segments};
}

/// Stands for a table of events among the inputs of a node.
constexpr std::int64_t kTable = -2;

/// What leads into a node, by what it carries; indices of graph nodes, the reader's for its stream.
struct Inputs {
  std::vector<std::int64_t> signals;
  std::vector<std::int64_t> events;
  std::vector<std::string> signal_ids;
  std::vector<std::string> event_ids;
  std::string snippets;  ///< A node that gives them: only `write` takes those.
  bool known = true;     ///< All that feed it stand in the graph.
};

/// A node joins the graph once everything that feeds it has, so that what it takes stands before
/// it.
class Builder {
 public:
  Builder(const Spec& spec, const Catalog& catalog, const EventSources& sources,
          std::size_t step_memory, InputPlan& plan, std::vector<Problem>& problems)
      : spec_(spec),
        catalog_(catalog),
        sources_(sources),
        step_memory_(step_memory),
        plan_(plan),
        problems_(problems) {}

  NodeIndex take() { return std::move(index_); }

  /// Nodes that only tables lead to: what they lack is told.
  void below_tables() {
    for (const auto& [id, source] : sources_) {
      for (const Node* node : consumers(spec_, id)) {
        if (node->op != "write" && !index_.contains(node->id) && !refused_.contains(node->id)) {
          visit(*node);
        }
      }
    }
  }

  void below(const std::string& id, std::int64_t at) {
    index_[id] = at;
    for (const Node* node : consumers(spec_, id)) {
      check_port(id, at, *node);
      if (node->op != "write" && !index_.contains(node->id) && !refused_.contains(node->id)) {
        visit(*node);
      }
    }
  }

 private:
  void visit(const Node& node) {
    const Inputs inputs = inputs_of(node);
    if (!inputs.known) {
      return;  // Another visit comes when the rest stands, unless that is a problem already.
    }
    try {
      check(node, inputs);
      below(node.id, bind(node, inputs));
    } catch (const Error& error) {
      refused_.insert(node.id);
      problems_.push_back({node.id, "", error.text(), error.code()});
    }
  }

  Inputs inputs_of(const Node& node) const {
    Inputs inputs;
    for (const auto& edge : spec_.edges) {
      if (edge.to != node.id) {
        continue;
      }
      if (sources_.contains(edge.from)) {
        inputs.events.push_back(kTable);
        inputs.event_ids.push_back(edge.from);
        continue;
      }
      const auto from = index_.find(edge.from);
      if (from == index_.end()) {
        inputs.known = false;
        continue;
      }
      const op::PortKind kind = plan_.graph.kind(from->second);
      if (kind == op::PortKind::snippets) {
        inputs.snippets = edge.from;
        continue;
      }
      const bool events = kind == op::PortKind::events;
      (events ? inputs.events : inputs.signals).push_back(from->second);
      (events ? inputs.event_ids : inputs.signal_ids).push_back(edge.from);
    }
    return inputs;
  }

  void check(const Node& node, const Inputs& inputs) const {
    const auto refuse = [](const std::string& text) { throw Error(ErrorCode::invalid_spec, text); };
    const op::TakesEvents takes = operator_of(node).takes_events();
    if (!inputs.snippets.empty()) {
      refuse(fmt::format("takes a signal, but node {} gives snippets, which can only be written",
                         inputs.snippets));
    }
    if (takes == op::TakesEvents::no && !inputs.events.empty()) {
      refuse(fmt::format("takes a signal, but node {} gives events", inputs.event_ids.front()));
    }
    if (inputs.signals.empty()) {
      refuse(fmt::format("has no signal to work on: node {} gives events",
                         fmt::join(inputs.event_ids, ", ")));
    }
    if (inputs.signals.size() > 1) {
      refuse(fmt::format("takes one signal, but {} feed it", fmt::join(inputs.signal_ids, ", ")));
    }
    if (inputs.events.size() > 1) {
      refuse(fmt::format("takes the events of one node, but {} feed it",
                         fmt::join(inputs.event_ids, ", ")));
    }
    if (takes == op::TakesEvents::always && inputs.events.empty()) {
      refuse(
          "needs events beside its signal: add an edge from a node that gives them, such as "
          "crossings, peaks or read_events");
    }
  }

  /// A port that an edge names must be the one there is.
  void check_port(const std::string& id, std::int64_t at, const Node& to) {
    const std::string port =
        at == kReader ? "signal" : plan_.graph.node(at).step->ports().front().name;
    for (const auto& edge : spec_.edges) {
      if (edge.from == id && edge.to == to.id && !edge.from_port.empty() &&
          edge.from_port != port) {
        problems_.push_back({id, "",
                             fmt::format("has no port \"{}\" (edge to {}); its port is "
                                         "\"{}\"",
                                         edge.from_port, to.id, port)});
      }
    }
  }

  const op::Operator& operator_of(const Node& node) const {
    const op::Operator* op = catalog_.operators.find(node.op);
    WEIR_CHECK(op != nullptr);
    return *op;
  }

  std::int64_t bind(const Node& node, const Inputs& inputs) {
    const op::Operator& op = operator_of(node);
    std::int64_t parent = inputs.signals.front();
    const StreamInfo in = plan_.graph.stream(parent);
    const op::InputForm form = op.input_form(node.params, in);
    op::StepContext context;
    context.in = in_form(in, form);
    context.memory_bytes = step_memory_;
    context.temporary_folder = temporary_folder(spec_.execution.temporary_dir);
    auto link = inputs.events.empty()             ? std::nullopt
                : inputs.events.front() == kTable ? given_events(inputs, context)
                                                  : found_events(inputs, parent, context);
    std::shared_ptr<const op::Step> step = plan_step(op, node, context);
    if (!step->hears()) {
      WEIR_CHECK(!link || link->known != nullptr);
      link = std::nullopt;
    }
    WEIR_CHECK(!link || step->parallel() == op::Parallel::none);
    if (auto convert = make_convert_step(in, form, step->parallel())) {
      parent = add({node.id, std::move(convert), parent}, "input form");
    }
    return add({node.id, std::move(step), parent, link}, node.op);
  }

  /// The link to a table, which `context` is told of.
  std::optional<EventsLink> given_events(const Inputs& inputs, op::StepContext& context) const {
    const std::string& id = inputs.event_ids.front();
    const formats::EventSource& source = *sources_.at(id);
    EventsLink link;
    link.known = in_context("node " + id, [&] {
      return known_events(id, source, context.in, step_memory_, plan_.input.warnings);
    });
    context.events = op::EventsInput{source.info().table.stream, 0, 0, all_of(link.known)};
    return link;
  }

  /// The link to a detector, which `context` is told of.
  std::optional<EventsLink> found_events(const Inputs& inputs, std::int64_t parent,
                                         op::StepContext& context) const {
    EventsLink link;
    link.node = inputs.events.front();
    link.lag_frames = events_lag(plan_.graph, parent, link.node);
    link.found_in = plan_.graph.stream(link.node);
    check_clocks(link.found_in, context.in);
    const Rational scale = context.in.rate.exact() / link.found_in.rate.exact();
    const std::int64_t wait =
        scale.ceil_times(plan_.graph.node(link.node).step->settle_frames()) + 1;
    context.events = op::EventsInput{link.found_in, link.lag_frames, wait};
    return link;
  }

  std::int64_t add(GraphNode node, const std::string& op) {
    plan_.graph.nodes.push_back(std::move(node));
    plan_.ops.push_back(op);
    return plan_.graph.size() - 1;
  }

  const Spec& spec_;
  const Catalog& catalog_;
  const EventSources& sources_;
  std::size_t step_memory_;
  InputPlan& plan_;
  std::vector<Problem>& problems_;
  NodeIndex index_;
  std::set<std::string> refused_;
};
}  // namespace

NodeIndex build_graph(const Spec& spec, const Catalog& catalog, const EventSources& sources,
                      std::size_t step_memory, InputPlan& plan, std::vector<Problem>& problems) {
  Builder builder(spec, catalog, sources, step_memory, plan, problems);
  for (const auto& node : spec.nodes) {
    if (node.op == "read") {
      builder.below(node.id, kReader);
    }
  }
  builder.below_tables();
  return builder.take();
}

}  // namespace weir::pipeline
