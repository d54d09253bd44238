#include "weir/likelihood/term.h"

namespace weir::likelihood {

fit::SquareMatrix Term::squared_scores(std::span<const double> point) {
  return hessian(point);
}

}  // namespace weir::likelihood
