#include <algorithm>
#include <limits>

#include "weir/core/error.h"
#include "weir/model/compile/differentiate.h"
#include "weir/model/run/reduction_kernel_internal.h"

namespace weir::model {
namespace {

/// A term of a sum and what of it must lie in which domain.
struct Term {
  Value value;
  Value demanded;
  Demand demand;
};

class KernelBuilder {
 public:
  KernelBuilder(const Expr& model, const ModelNames& names, Plan plan, Domain domain)
      : lowering_(graph_), names_(names), term_(make_term(model, plan, domain)) {
    for (const auto& parameter : lowering_.symbols().parameters) {
      kernel_.parameters.push_back(place_of(parameter->name));
      leaves_.push_back(graph_.parameter(static_cast<std::int32_t>(kernel_.parameters.size()) - 1));
    }
    for (const std::string& column : lowering_.symbols().columns) {
      const auto at = std::find(names.columns.begin(), names.columns.end(), column);
      kernel_.columns.push_back(static_cast<std::int32_t>(at - names.columns.begin()));
    }
  }

  ReductionKernel build(Derivatives derivatives) {
    kernel_.demand = term_.demand;
    switch (derivatives) {
      case Derivatives::none:
        finish({term_.value});
        break;
      case Derivatives::gradient:
        build_gradient();
        break;
      case Derivatives::hessian:
        build_hessian();
        break;
      case Derivatives::scores:
        build_scores();
        break;
    }
    return std::move(kernel_);
  }

 private:
  std::int32_t place_of(const std::string& name) const {
    const auto at = std::find_if(names_.parameters.begin(), names_.parameters.end(),
                                 [&](const auto& known) { return known->name == name; });
    return static_cast<std::int32_t>(at - names_.parameters.begin());
  }

  Term make_term(const Expr& model, Plan plan, Domain domain) {
    const Value f = lowering_.lower(model).front();
    if (plan != Plan::weighted_log_positive_real) {
      return {f, f, plan == Plan::weighted_real ? Demand::finite : Demand::non_negative};
    }
    const Value log = lowering_.lower_log(model);
    const bool plain = graph_[log].code == Code::unary && graph_[log].operands[0] == f;
    if (domain == Domain::penalty) {
      return penalized(f, log, plain);
    }
    return {log, log, Demand::finite};
  }

  /// How far a term lies outside: |f| where f is negative, 1 where it is no number or no log form
  /// gives one, else 0.
  Term penalized(Value f, Value log, bool plain) {
    const Value most = graph_.constant(std::numeric_limits<double>::max());
    const Value zero = graph_.constant(0.0);
    const Value one = graph_.constant(1.0);
    if (!plain) {
      return {graph_.select(graph_.less_equal(graph_.absolute(log), most), zero, one), log,
              Demand::finite};
    }
    const Value finite = graph_.less_equal(graph_.absolute(f), most);
    const Value outside = graph_.select(finite, graph_.negate(f), one);
    const Value inside = graph_.minimum(graph_.less(zero, f), finite);
    return {graph_.select(inside, zero, outside), f, Demand::positive};
  }

  Value or_zero(Value value) { return value == kNoValue ? graph_.constant(0.0) : value; }

  CompiledModel compiled(std::vector<Value> outputs) {
    outputs.push_back(term_.demanded);
    return compile(graph_, outputs, lowering_.symbols());
  }

  void take(CompiledModel model, std::size_t summed) {
    kernel_.demanded = model.outputs.back();
    kernel_.summed = static_cast<std::int32_t>(summed);
    kernel_.model = std::move(model);
  }

  void finish(const std::vector<Value>& outputs) { take(compiled(outputs), outputs.size()); }

  /// Values that depend on parameters alone and that events meet: where a gradient per event may
  /// end, the rest being the same for all events.
  std::vector<Value> frontier() const {
    std::vector<bool> reached(static_cast<std::size_t>(term_.value) + 1);
    std::vector<Value> found;
    reached[static_cast<std::size_t>(term_.value)] = true;
    for (Value value = term_.value; value >= 0; --value) {
      if (!reached[static_cast<std::size_t>(value)]) {
        continue;
      }
      if (graph_[value].dependence == kOnParameters) {
        found.push_back(value);
        continue;
      }
      for (int i = 0; i < graph_[value].operand_count(); ++i) {
        reached[static_cast<std::size_t>(graph_[value].operands[static_cast<std::size_t>(i)])] =
            true;
      }
    }
    return found;
  }

  std::vector<Value> with_derivatives(const std::vector<Value>& variables) {
    std::vector<Value> outputs = {term_.value};
    for (const Value derivative : differentiate(graph_, term_.value, variables)) {
      outputs.push_back(or_zero(derivative));
    }
    return outputs;
  }

  static std::size_t work(const CompiledModel& model) {
    return model.mixed.instructions.size() + model.outputs.size();
  }

  // Two ways: every derivative for every event, or the derivatives by what events meet of the
  // parameters, summed, and the chain rule once a call. The shorter list wins.
  void build_gradient() {
    const std::vector<Value> met = frontier();
    const std::vector<Value> short_way = with_derivatives(met);
    CompiledModel through_frontier = compiled(short_way);
    constexpr std::size_t kManyParameters = 256;
    if (leaves_.size() < kManyParameters) {
      const std::vector<Value> direct = with_derivatives(leaves_);
      CompiledModel model = compiled(direct);
      if (work(model) <= work(through_frontier)) {
        take(std::move(model), direct.size());
        return;
      }
    }
    take(std::move(through_frontier), short_way.size());
    build_backward(met);
  }

  void build_backward(const std::vector<Value>& met) {
    Symbols symbols = lowering_.symbols();
    Value sum = graph_.constant(0.0);
    for (std::size_t k = 0; k < met.size(); ++k) {
      const auto index = static_cast<std::int32_t>(symbols.parameters.size());
      symbols.parameters.push_back(std::make_shared<const Parameter>(Parameter{.name = "adjoint"}));
      sum = graph_.add(sum, graph_.multiply(graph_.parameter(index), met[k]));
    }
    std::vector<Value> gradient = differentiate(graph_, sum, leaves_);
    std::transform(gradient.begin(), gradient.end(), gradient.begin(),
                   [&](Value value) { return or_zero(value); });
    kernel_.backward = compile(graph_, gradient, symbols);
  }

  void build_hessian() {
    std::vector<Value> outputs = with_derivatives(leaves_);
    const std::size_t count = leaves_.size();
    for (std::size_t i = 0; i < count; ++i) {
      const Value slope = outputs[1 + i];
      const std::vector<Value> second =
          differentiate(graph_, slope, std::span(leaves_).first(i + 1));
      for (const Value derivative : second) {
        outputs.push_back(or_zero(derivative));
      }
    }
    finish(outputs);
  }

  void build_scores() {
    const std::vector<Value> scores = with_derivatives(leaves_);
    std::vector<Value> outputs(scores.begin() + 1, scores.end());
    for (std::size_t i = 0; i < leaves_.size(); ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        outputs.push_back(graph_.multiply(scores[1 + i], scores[1 + j]));
      }
    }
    finish(outputs);
  }

  ScalarGraph graph_;
  Lowering lowering_;
  const ModelNames& names_;
  Term term_;
  std::vector<Value> leaves_;
  ReductionKernel kernel_;
};

}  // namespace

ReductionKernel make_reduction_kernel(const Expr& model, const ModelNames& names, Plan plan,
                                      Domain domain, Derivatives derivatives) {
  return KernelBuilder(model, names, plan, domain).build(derivatives);
}

ReductionKernel make_evaluation_kernel(const Expr& model, const ModelNames& names) {
  ReductionKernel kernel;
  ScalarGraph graph;
  Lowering lowering(graph);
  const std::vector<Value> outputs = lowering.lower(model);
  kernel.model = compile(graph, outputs, lowering.symbols());
  kernel.demanded = kernel.model.outputs.front();
  for (const auto& parameter : lowering.symbols().parameters) {
    const auto at = std::find_if(names.parameters.begin(), names.parameters.end(),
                                 [&](const auto& known) { return known->name == parameter->name; });
    kernel.parameters.push_back(static_cast<std::int32_t>(at - names.parameters.begin()));
  }
  for (const std::string& column : lowering.symbols().columns) {
    const auto at = std::find(names.columns.begin(), names.columns.end(), column);
    kernel.columns.push_back(static_cast<std::int32_t>(at - names.columns.begin()));
  }
  return kernel;
}

}  // namespace weir::model
