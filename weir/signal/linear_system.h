#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace weir::signal {

/// A small dense square matrix, row by row.
class SquareMatrix {
 public:
  SquareMatrix() = default;
  explicit SquareMatrix(std::size_t size) : size_(size), values_(size * size) {}
  std::size_t size() const noexcept { return size_; }
  double& operator()(std::size_t row, std::size_t column) { return values_[row * size_ + column]; }
  double operator()(std::size_t row, std::size_t column) const {
    return values_[row * size_ + column];
  }
  SquareMatrix transposed() const;
  /// Largest absolute value.
  double largest() const noexcept;

  friend SquareMatrix operator*(const SquareMatrix& a, const SquareMatrix& b);
  friend std::vector<double> operator*(const SquareMatrix& a, std::span<const double> b);

 private:
  std::size_t size_ = 0;
  std::vector<double> values_;
};

/// a to the power `exponent` >= 0, by repeated squaring.
SquareMatrix power(SquareMatrix a, std::int64_t exponent);

/// The sum over k >= 0 of A^k b b' (A^k)'. A must be stable.
/// Source: doubling, P(2n) = P(n) + A^n P(n) (A^n)'.
SquareMatrix gramian(SquareMatrix a, std::span<const double> b);

/// v' M v
double quadratic(const SquareMatrix& m, std::span<const double> v) noexcept;
double dot(std::span<const double> a, std::span<const double> b) noexcept;

}  // namespace weir::signal
