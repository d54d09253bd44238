#pragma once

#include <array>
#include <cstdint>

namespace weir::model {

/// A sum whose result does not depend on the order of its terms, to the last bit: every term is cut
/// into digits of 40 bits on one fixed grid of exponents, and the digits of the three highest
/// places that any term reaches are added as integers. Error: at most the count of terms times
/// 2^-80 of the largest term. What lies below 2^-1000 counts as nothing.
class BinnedSum {
 public:
  void add(double term);
  void add(const BinnedSum& other);
  /// The sum, rounded to within one unit in the last place. NaN and infinities as they follow from
  /// the terms.
  double value() const;

 private:
  __extension__ using Integer = __int128;
  static constexpr int kPlaces = 3;
  static constexpr int kEmpty = INT32_MIN;

  void raise(int top);

  std::array<Integer, kPlaces> sums_ = {};  ///< The highest place first.
  int top_ = kEmpty;                        ///< The exponent of the highest place, in digits.
  bool nan_ = false;
  bool positive_infinity_ = false;
  bool negative_infinity_ = false;
};

}  // namespace weir::model
