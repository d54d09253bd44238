#pragma once

#include <cstddef>
#include <vector>

namespace weir::fit {

/// A square matrix over parameters, row after row.
class SquareMatrix {
 public:
  SquareMatrix() = default;
  explicit SquareMatrix(std::size_t size) : size_(size), values_(size * size, 0.0) {}
  SquareMatrix(std::size_t size, std::vector<double> values);

  std::size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }
  double& operator()(std::size_t row, std::size_t column) noexcept {
    return values_[row * size_ + column];
  }
  double operator()(std::size_t row, std::size_t column) const noexcept {
    return values_[row * size_ + column];
  }
  const std::vector<double>& values() const noexcept { return values_; }

  friend bool operator==(const SquareMatrix&, const SquareMatrix&) = default;

 private:
  std::size_t size_ = 0;
  std::vector<double> values_;
};

}  // namespace weir::fit
