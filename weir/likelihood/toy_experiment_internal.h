#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <numbers>
#include <random>
#include <vector>

#include "weir/likelihood/likelihood.h"
#include "weir/likelihood/unbinned_term.h"
#include "weir/model/expr/operations.h"

namespace weir::likelihood {

/// Workload W2 of survey/models.md: a peak in a mass spectrum between 5 and 7 on an exponential,
/// with toy data for it.
struct MassFit {
  static constexpr double kLower = 5;
  static constexpr double kUpper = 7;
  static constexpr double kMass = 5.28;
  static constexpr double kWidth = 0.06;
  static constexpr double kFraction = 0.3;
  static constexpr double kSlope = -1;

  static model::Expr density() {
    const model::Expr m = model::column("m");
    const model::Expr sigma =
        model::parameter({.name = "sigma", .initial = kWidth, .lower = 0.005, .upper = 0.13});
    const model::Expr mass =
        model::parameter({.name = "mb", .initial = kMass, .lower = 5, .upper = 6});
    const model::Expr f =
        model::parameter({.name = "fsig", .initial = kFraction, .lower = 0, .upper = 1});
    const model::Expr alpha =
        model::parameter({.name = "alpha", .initial = kSlope, .lower = -10, .upper = 10});
    const model::Expr t = (m - mass) * (1 / sigma);
    const auto below = [&](double edge) {
      return erfc((mass - edge) * (1 / (std::numbers::sqrt2 * sigma))) * 0.5;
    };
    const model::Expr peak =
        exp(-0.5 * t * t) *
        (1 / (sigma * std::sqrt(2 * std::numbers::pi) * (below(kUpper) - below(kLower))));
    // alpha passes through 0, where the exponential is flat: expm1 keeps the ratio exact beside it.
    const model::Expr safe = select(less(abs(alpha), 1e-12), 1e-12, alpha);
    const model::Expr fall = exp(safe * (m - kLower)) * (safe / expm1(safe * (kUpper - kLower)));
    return f * peak + (1 - f) * fall;
  }

  /// Events of that density; the same for the same seed.
  static std::shared_ptr<const model::ResidentTable> events(std::int64_t count,
                                                            std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform(0, 1);
    std::vector<double> masses;
    masses.reserve(static_cast<std::size_t>(count));
    while (static_cast<std::int64_t>(masses.size()) < count) {
      if (uniform(random) < kFraction) {
        const double m = kMass + kWidth * std::sqrt(-2 * std::log1p(-uniform(random))) *
                                     std::cos(2 * std::numbers::pi * uniform(random));
        if (m >= kLower && m <= kUpper) {
          masses.push_back(m);
        }
      } else {
        masses.push_back(kLower - std::log1p(uniform(random) * std::expm1(-(kUpper - kLower))));
      }
    }
    auto table = std::make_shared<model::ResidentTable>("toy", count);
    table->add_column("m", masses);
    return table;
  }
};

}  // namespace weir::likelihood
