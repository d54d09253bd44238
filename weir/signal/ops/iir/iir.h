#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "weir/op/operator.h"
#include "weir/signal/filter_design.h"
#include "weir/signal/ops/iir/iir_plan.h"

namespace weir::signal {

inline constexpr std::int64_t kDefaultOrder = 5;

/// Recursive filter, run as a cascade of second-order sections. Fields as in pipeline_spec.md.
struct Iir : IirRunning {
  std::optional<Band> band;
  std::vector<double> cutoff_hz;
  std::optional<std::int64_t> order;  ///< `kDefaultOrder` where neither it nor limits are given.
  Family family = Family::butterworth;
  std::optional<double> ripple_db;       ///< Of the pass-band: chebyshev1, elliptic and limits.
  std::optional<double> attenuation_db;  ///< Of the stop-band: chebyshev2, elliptic and limits.
  std::vector<double> passband_hz;       ///< With stopband_hz, instead of cutoff_hz and order.
  std::vector<double> stopband_hz;
  std::vector<std::vector<double>> sos;  ///< Rows b0 b1 b2 a0 a1 a2, instead of band and cutoff_hz.
};

std::span<const op::EnumName<Band>> names_of(Band);
std::span<const op::EnumName<Family>> names_of(Family);

/// `filter` with the order and cut-off that its limits ask for; the same where it has none.
/// Errors: as `design`.
Iir with_order(const Iir& filter, double rate_hz);

/// The cascade that `filter` asks for.
/// Errors: `invalid_spec` naming the field: a cut-off that is not between 0 and Nyquist, edges out
///         of order, fields that contradict each other, explicit sections that are unstable, a
///         filter whose numbers float64 cannot hold.
Sections design(const Iir& filter, double rate_hz);

/// The coefficients as every kernel uses them: b0 beta1 beta2 alpha1 alpha2 of each section,
/// designed in float64 and rounded once. Shape: [sections, 5].
template <class T>
std::vector<T> delta_coefficients(std::span<const Section> sections) {
  std::vector<T> values;
  for (const Section& s : sections) {
    for (const double value : {s.b0, s.beta1, s.beta2, s.alpha1, s.alpha2}) {
      values.push_back(static_cast<T>(value));
    }
  }
  return values;
}

const op::Operator& iir_operator();

}  // namespace weir::signal
