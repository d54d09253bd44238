#include "weir/signal/linear_system.h"

#include <algorithm>
#include <cmath>

namespace weir::signal {

SquareMatrix SquareMatrix::transposed() const {
  SquareMatrix turned(size_);
  for (std::size_t i = 0; i < size_; ++i) {
    for (std::size_t j = 0; j < size_; ++j) {
      turned(j, i) = (*this)(i, j);
    }
  }
  return turned;
}

double SquareMatrix::largest() const noexcept {
  double largest = 0;
  for (const double value : values_) {
    largest = std::max(largest, std::abs(value));
  }
  return largest;
}

SquareMatrix operator*(const SquareMatrix& a, const SquareMatrix& b) {
  const std::size_t n = a.size();
  SquareMatrix product(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < n; ++k) {
      const double factor = a(i, k);
      if (factor == 0) {
        continue;
      }
      for (std::size_t j = 0; j < n; ++j) {
        product(i, j) += factor * b(k, j);
      }
    }
  }
  return product;
}

std::vector<double> operator*(const SquareMatrix& a, std::span<const double> b) {
  std::vector<double> product(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < a.size(); ++j) {
      product[i] += a(i, j) * b[j];
    }
  }
  return product;
}

SquareMatrix power(SquareMatrix a, std::int64_t exponent) {
  SquareMatrix result(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    result(i, i) = 1;
  }
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1) {
      result = result * a;
    }
    a = a * a;
  }
  return result;
}

SquareMatrix gramian(SquareMatrix a, std::span<const double> b) {
  const std::size_t n = a.size();
  SquareMatrix sum(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      sum(i, j) = b[i] * b[j];
    }
  }
  constexpr int kMostDoublings = 80;  // far beyond any filter whose poles differ from 1 in double
  for (int doubling = 0; doubling < kMostDoublings && a.largest() > 1e-30; ++doubling) {
    const SquareMatrix more = a * sum * a.transposed();
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        sum(i, j) += more(i, j);
      }
    }
    a = a * a;
  }
  return sum;
}

double quadratic(const SquareMatrix& m, std::span<const double> v) noexcept {
  double sum = 0;
  for (std::size_t i = 0; i < m.size(); ++i) {
    double row = 0;
    for (std::size_t j = 0; j < m.size(); ++j) {
      row += m(i, j) * v[j];
    }
    sum += row * v[i];
  }
  return sum;
}

double dot(std::span<const double> a, std::span<const double> b) noexcept {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += a[i] * b[i];
  }
  return sum;
}

}  // namespace weir::signal
