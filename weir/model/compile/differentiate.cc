#include "weir/model/compile/differentiate.h"

#include <algorithm>
#include <array>

#include "weir/model/compile/local_derivatives_internal.h"

namespace weir::model {
namespace {

/// Reverse accumulation over the values that lie between the output and the variables.
class Adjoints {
 public:
  Adjoints(ScalarGraph& graph, Value output, std::span<const Value> variables)
      : graph_(graph), last_(output), adjoint_(size(), kNoValue), guarded_(size()), leads_(size()) {
    mark_leading(variables);
    mark_guarded();
  }

  void run() {
    add_to(last_, graph_.constant(1.0));
    for (Value value = last_; value >= 0; --value) {
      if (leads_[at(value)] == Leads::through && adjoint_[at(value)] != kNoValue) {
        spread(value);
      }
    }
  }

  Value of(Value variable) const { return variable > last_ ? kNoValue : adjoint_[at(variable)]; }

 private:
  enum class Leads : std::uint8_t {
    no,
    through,
    ends
  };  ///< Whether a variable lies below, or is here.

  static std::size_t at(Value value) { return static_cast<std::size_t>(value); }
  std::size_t size() const { return at(last_) + 1; }

  void mark_leading(std::span<const Value> variables) {
    for (const Value variable : variables) {
      if (variable <= last_) {
        leads_[at(variable)] = Leads::ends;
      }
    }
    for (Value value = 0; value <= last_; ++value) {
      if (leads_[at(value)] == Leads::ends) {
        continue;
      }
      const Scalar scalar = graph_[value];
      for (int i = 0; i < scalar.operand_count(); ++i) {
        if (leads_[at(scalar.operands[at(i)])] != Leads::no) {
          leads_[at(value)] = Leads::through;
        }
      }
    }
  }

  /// Below the branches of selects a derivative may be infinite where the adjoint is 0.
  void mark_guarded() {
    for (Value value = last_; value >= 0; --value) {
      const Scalar scalar = graph_[value];
      for (int i = 0; i < scalar.operand_count(); ++i) {
        const bool branch = (scalar.code == Code::select && i > 0) ||
                            scalar.code == Code::minimum || scalar.code == Code::maximum;
        if (branch || guarded_[at(value)]) {
          guarded_[at(scalar.operands[at(i)])] = true;
        }
      }
    }
  }

  void add_to(Value value, Value contribution) {
    Value& sum = adjoint_[at(value)];
    sum = sum == kNoValue ? contribution : graph_.add(sum, contribution);
  }

  Value scaled(Value value, Value adjoint, Value derivative) {
    return guarded_[at(value)] ? graph_.guarded_multiply(adjoint, derivative)
                               : graph_.multiply(adjoint, derivative);
  }

  void spread_select(const Scalar& select, Value adjoint) {
    const Value zero = graph_.constant(0.0);
    if (leads_[at(select.operands[1])] != Leads::no) {
      add_to(select.operands[1], graph_.select(select.operands[0], adjoint, zero));
    }
    if (leads_[at(select.operands[2])] != Leads::no) {
      add_to(select.operands[2], graph_.select(select.operands[0], zero, adjoint));
    }
  }

  void spread(Value value) {
    const Scalar scalar = graph_[value];  // a copy: the graph grows below
    const Value adjoint = adjoint_[at(value)];
    if (scalar.code == Code::select) {
      spread_select(scalar, adjoint);
      return;
    }
    const std::array<Value, 3> derivatives = local_derivatives(graph_, value);
    for (int i = 0; i < scalar.operand_count(); ++i) {
      const Value operand = scalar.operands[at(i)];
      if (leads_[at(operand)] != Leads::no && derivatives[at(i)] != kNoValue) {
        add_to(operand, scaled(value, adjoint, derivatives[at(i)]));
      }
    }
  }

  ScalarGraph& graph_;
  Value last_;
  std::vector<Value> adjoint_;
  std::vector<bool> guarded_;
  std::vector<Leads> leads_;
};

}  // namespace

std::vector<Value> differentiate(ScalarGraph& graph, Value output,
                                 std::span<const Value> variables) {
  Adjoints adjoints(graph, output, variables);
  adjoints.run();
  std::vector<Value> derivatives;
  derivatives.reserve(variables.size());
  for (const Value variable : variables) {
    derivatives.push_back(adjoints.of(variable));
  }
  return derivatives;
}

}  // namespace weir::model
