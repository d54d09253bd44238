#pragma once

#include <vector>

#include "weir/model/compile/scalar_graph.h"

namespace weir::model {

/// A complex number of the graph. One known to be real has no imaginary part, so that arithmetic on
/// reals costs what arithmetic on reals costs.
struct ComplexValue {
  Value re = kNoValue;
  Value im = kNoValue;
  bool is_real() const { return im == kNoValue; }
};

/// Arithmetic on complex numbers of a graph, in terms of real operations.
class ComplexArithmetic {
 public:
  explicit ComplexArithmetic(ScalarGraph& graph) : graph_(graph) {}

  /// An imaginary part that is exactly +0 is left away.
  ComplexValue make(Value re, Value im) const;
  ComplexValue add(ComplexValue a, ComplexValue b) const;
  ComplexValue subtract(ComplexValue a, ComplexValue b) const;
  ComplexValue multiply(ComplexValue a, ComplexValue b) const;
  /// a conj(b) / |b|^2: for |b| between 1e-150 and 1e150.
  ComplexValue divide(ComplexValue a, ComplexValue b) const;
  ComplexValue negate(ComplexValue a) const;
  ComplexValue conjugate(ComplexValue a) const;
  ComplexValue power(ComplexValue x, int n) const;
  ComplexValue select(Value condition, ComplexValue a, ComplexValue b) const;
  Value norm_squared(ComplexValue a) const;
  Value imaginary(ComplexValue a) const { return a.is_real() ? graph_.constant(0.0) : a.im; }

  ComplexValue exp(ComplexValue z) const;
  ComplexValue sin(ComplexValue z) const;
  ComplexValue cos(ComplexValue z) const;
  ComplexValue sinh(ComplexValue z) const;
  ComplexValue cosh(ComplexValue z) const;
  ComplexValue sqrt(ComplexValue z) const;
  ComplexValue log(ComplexValue z) const;
  ComplexValue faddeeva(ComplexValue z) const;

  /// x with matrix x = right, by elimination with row exchanges. The matrix row by row.
  std::vector<ComplexValue> solve(std::vector<ComplexValue> matrix,
                                  std::vector<ComplexValue> right) const;

 private:
  /// The larger of |re| and |im|, and their ratio squared (0 where both are 0).
  struct Scaled {
    Value large;
    Value ratio_squared;
  };
  Scaled scaled(ComplexValue z) const;
  void bring_up_pivot(std::vector<ComplexValue>& rows, std::size_t width, std::size_t k) const;

  ScalarGraph& graph_;
};

}  // namespace weir::model
