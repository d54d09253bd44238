#include "weir/model/compile/contract.h"

#include <algorithm>

namespace weir::model {
namespace {

class Contraction {
 public:
  Contraction(const ScalarGraph& from, const std::vector<Value>& outputs)
      : from_(from),
        uses_(static_cast<std::size_t>(from.size())),
        made_(static_cast<std::size_t>(from.size()), kNoValue) {
    count_uses(outputs);
    for (Value value = 0; value < from.size(); ++value) {
      if (uses(value) > 0 && !absorbed_into_next(value)) {
        made_[at(value)] = rebuild(value);
      }
    }
    for (const Value output : outputs) {
      result_.outputs.push_back(made_[at(output)]);
    }
  }

  OutputGraph take() { return std::move(result_); }

 private:
  static std::size_t at(Value value) { return static_cast<std::size_t>(value); }
  int uses(Value value) const { return uses_[at(value)]; }

  void count_uses(const std::vector<Value>& outputs) {
    for (const Value output : outputs) {
      uses_[at(output)] += 2;  // an output is wanted for itself
    }
    absorber_.assign(uses_.size(), kNoValue);
    for (Value value = from_.size() - 1; value >= 0; --value) {
      if (uses(value) == 0) {
        continue;
      }
      const Scalar& scalar = from_[value];
      for (int i = 0; i < scalar.operand_count(); ++i) {
        ++uses_[at(scalar.operands[at(i)])];
      }
    }
    for (Value value = 0; value < from_.size(); ++value) {
      if (uses(value) > 0) {
        choose_product(value);
      }
    }
  }

  /// Of a sum's operands the one to be multiplied within it: the later one, which leaves less
  /// waiting.
  void choose_product(Value sum) {
    const Scalar& scalar = from_[sum];
    if (scalar.code != Code::add && scalar.code != Code::subtract) {
      return;
    }
    const Value a = scalar.operands[0];
    const Value b = scalar.operands[1];
    const Value first = std::max(a, b);
    for (const Value product : {first, first == a ? b : a}) {
      // The product must belong to the same stage of the computation as the sum, or it would be
      // done again and again.
      const bool fits = from_[product].code == Code::multiply && uses(product) == 1 &&
                        from_[product].dependence == scalar.dependence;
      if (fits) {
        absorber_[at(product)] = sum;
        return;
      }
    }
  }

  bool absorbed_into_next(Value value) const { return absorber_[at(value)] != kNoValue; }

  Value rebuild(Value value) {
    const Scalar& scalar = from_[value];
    if (scalar.code == Code::add || scalar.code == Code::subtract) {
      for (int i = 0; i < 2; ++i) {
        const Value product = scalar.operands[at(i)];
        if (absorber_[at(product)] == value) {
          return joined(scalar, product, scalar.operands[at(1 - i)], i == 0);
        }
      }
    }
    std::array<Value, 3> operands = scalar.operands;
    for (int i = 0; i < scalar.operand_count(); ++i) {
      operands[at(i)] = made_[at(operands[at(i)])];
    }
    return result_.graph.rebuilt(scalar, operands);
  }

  Value joined(const Scalar& sum, Value product, Value other, bool product_first) {
    const Value a = made_[at(from_[product].operands[0])];
    const Value b = made_[at(from_[product].operands[1])];
    const Code code = sum.code == Code::add ? Code::multiply_add
                      : product_first       ? Code::multiply_subtract
                                            : Code::negated_multiply_add;
    return result_.graph.multiply_add(code, a, b, made_[at(other)]);
  }

  const ScalarGraph& from_;
  OutputGraph result_;
  std::vector<int> uses_;
  std::vector<Value> made_;
  std::vector<Value> absorber_;  ///< Of a product: the sum that takes it in.
};

}  // namespace

OutputGraph contracted(const ScalarGraph& graph, const std::vector<Value>& outputs) {
  return Contraction(graph, outputs).take();
}

}  // namespace weir::model
