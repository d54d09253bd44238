#include "weir/pipeline/plan/build_graph.h"

#include <fmt/format.h>

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

class Builder {
 public:
  Builder(const Spec& spec, const Catalog& catalog, std::size_t step_memory, InputPlan& plan,
          std::vector<Problem>& problems)
      : spec_(spec),
        catalog_(catalog),
        step_memory_(step_memory),
        plan_(plan),
        problems_(problems) {}

  NodeIndex take() { return std::move(index_); }

  void below(const std::string& id, std::int64_t parent) {
    index_[id] = parent;
    for (const Node* node : consumers(spec_, id)) {
      if (node->op == "write") {
        continue;
      }
      if (plan_.graph.emits_events(parent)) {
        problems_.push_back(
            {node->id, "", fmt::format("takes a signal, but node {} gives events", id)});
        continue;
      }
      try {
        below(node->id, bind(*node, parent));
      } catch (const Error& error) {
        problems_.push_back({node->id, "", error.text(), error.code()});
      }
    }
  }

 private:
  std::int64_t bind(const Node& node, std::int64_t parent) {
    const op::Operator* op = catalog_.operators.find(node.op);
    WEIR_CHECK(op != nullptr);
    const StreamInfo in = plan_.graph.stream(parent);
    const op::InputForm form = op->input_form(node.params, in);
    op::StepContext context;
    context.in = in_form(in, form);
    context.memory_bytes = step_memory_;
    context.temporary_folder = temporary_folder(spec_.execution.temporary_dir);
    std::shared_ptr<const op::Step> step = plan_step(*op, node, context);
    if (auto convert = make_convert_step(in, form, step->parallel())) {
      parent = add(node.id, "input form", std::move(convert), parent);
    }
    return add(node.id, node.op, std::move(step), parent);
  }

  std::int64_t add(const std::string& name, const std::string& op,
                   std::shared_ptr<const op::Step> step, std::int64_t parent) {
    plan_.graph.nodes.push_back({name, std::move(step), parent});
    plan_.ops.push_back(op);
    return plan_.graph.size() - 1;
  }

  const Spec& spec_;
  const Catalog& catalog_;
  std::size_t step_memory_;
  InputPlan& plan_;
  std::vector<Problem>& problems_;
  NodeIndex index_;
};
}  // namespace

NodeIndex build_graph(const Spec& spec, const Catalog& catalog, std::size_t step_memory,
                      InputPlan& plan, std::vector<Problem>& problems) {
  Builder builder(spec, catalog, step_memory, plan, problems);
  for (const auto& node : spec.nodes) {
    if (node.op == "read") {
      builder.below(node.id, kReader);
    }
  }
  return builder.take();
}

}  // namespace weir::pipeline
