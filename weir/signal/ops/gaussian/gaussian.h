#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "weir/core/sample_rate.h"
#include "weir/op/operator.h"
#include "weir/signal/polyphase_step.h"

namespace weir::signal {

/// Smoothing in time by a Gaussian, or its derivatives, as scipy.ndimage.gaussian_filter1d.
struct Gaussian {
  std::optional<double> sigma = {};         ///< In samples; either this,
  std::optional<double> sigma_s = {};       ///< or this, in seconds.
  std::int64_t order = 0;                   ///< Of the derivative.
  double truncate = 4;                      ///< Radius in sigmas,
  std::optional<std::int64_t> radius = {};  ///< or in samples.
  Edge edge = Edge::reflect;
  SumMethod method = SumMethod::automatic;
};

/// The taps h[-radius … radius], y[t] = sum_j h[j] x[t - j]: exp(-j^2 / 2 sigma^2) scaled to a sum
/// of 1, or its derivative of this order.
/// Range:  sigma > 0, radius >= 0.
/// Source: derivatives by the recurrence of Hermite polynomials (Abramowitz & Stegun 22.11.8).
std::vector<double> gaussian_taps(double sigma, std::int64_t radius, std::int64_t order);

const op::Operator& gaussian_operator();

}  // namespace weir::signal
