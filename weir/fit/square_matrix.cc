#include "weir/fit/square_matrix.h"

#include <utility>

#include "weir/core/error.h"

namespace weir::fit {

SquareMatrix::SquareMatrix(std::size_t size, std::vector<double> values)
    : size_(size), values_(std::move(values)) {
  WEIR_CHECK(values_.size() == size_ * size_);
}

}  // namespace weir::fit
