#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "weir/model/math/vector_functions.h"

namespace weir::model {

/// One operation between real numbers. Complex values, vectors and matrices have been taken apart
/// before: real stays real. Truth values are 1 and 0.
enum class Code : std::uint8_t {
  constant,
  parameter,
  column,
  add,
  subtract,
  multiply,
  divide,
  negate,
  multiply_add,          ///< a b + c, rounded once, as the next two.
  multiply_subtract,     ///< a b - c
  negated_multiply_add,  ///< c - a b
  copy,
  guarded_multiply,  ///< a b, but 0 where a is 0, whatever b is.
  sqrt,
  absolute,
  copy_sign,  ///< |a| with the sign of b.
  minimum,
  maximum,
  less,
  less_equal,
  equal,
  select,  ///< b where a is not 0, else c.
  unary,   ///< function(a)
  binary,  ///< function(a, b)
};

/// A value of the graph by its place. Operands stand before what uses them.
using Value = std::int32_t;
inline constexpr Value kNoValue = -1;

/// What a value depends on: what is computed once, once a dataset, once a call, or for every event
/// and call.
enum Dependence : std::uint8_t { kOnConstants = 0, kOnParameters = 1, kOnEvents = 2 };

struct Scalar {
  Code code = Code::constant;
  Function function = Function::exp;  ///< unary, binary
  std::array<Value, 3> operands = {kNoValue, kNoValue, kNoValue};
  double value = 0;        ///< constant
  std::int32_t index = 0;  ///< parameter, column: which
  std::uint8_t dependence = kOnConstants;

  int operand_count() const;
};

/// A graph of real operations in which equal values exist once. Building folds constants, with the
/// functions that an evaluation uses, and applies only identities that hold for every IEEE number,
/// NaN and signed zeros included.
class ScalarGraph {
 public:
  Value constant(double value);
  Value parameter(std::int32_t index);
  Value column(std::int32_t index);
  Value add(Value a, Value b);
  Value subtract(Value a, Value b);
  Value multiply(Value a, Value b);
  Value divide(Value a, Value b);
  Value negate(Value a);
  /// One of the three that multiply and add.
  Value multiply_add(Code code, Value a, Value b, Value c);
  Value guarded_multiply(Value a, Value b);
  Value sqrt(Value a);
  Value absolute(Value a);
  Value copy_sign(Value a, Value b);
  Value minimum(Value a, Value b);
  Value maximum(Value a, Value b);
  Value less(Value a, Value b);
  Value less_equal(Value a, Value b);
  Value equal(Value a, Value b);
  Value select(Value condition, Value a, Value b);
  Value apply(Function function, Value a);
  Value apply(Function function, Value a, Value b);
  /// x^n by repeated squaring; 1 / x^-n where n is negative.
  Value power(Value x, int n);

  const Scalar& operator[](Value value) const { return scalars_[static_cast<std::size_t>(value)]; }
  Value size() const { return static_cast<Value>(scalars_.size()); }
  bool is_constant(Value value) const { return (*this)[value].code == Code::constant; }
  bool is_constant(Value value, double number) const;
  /// The same operation on other operands, folded and reduced as when it is built by its name.
  Value rebuilt(const Scalar& scalar, const std::array<Value, 3>& operands);

 private:
  struct Hash {
    std::size_t operator()(const Scalar& scalar) const;
  };
  struct Same {
    bool operator()(const Scalar& a, const Scalar& b) const;
  };
  Value intern(Scalar scalar);
  Value operation(Code code, Value a, Value b = kNoValue, Value c = kNoValue,
                  Function function = Function::exp);

  std::vector<Scalar> scalars_;
  std::unordered_map<Scalar, Value, Hash, Same> places_;
};

/// The value of one operation on numbers, by the same functions and roundings as an evaluation.
double evaluate(Code code, Function function, double a, double b, double c);

}  // namespace weir::model
