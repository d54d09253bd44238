#include "weir/signal/ops/iir/iir.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "weir/signal/ops/iir/iir_cl.h"
#include "weir/signal/ops/iir/iir_error.h"
#include "weir/signal/ops/iir/iir_step_internal.h"

namespace weir::signal {
namespace {
using op::EnumName;

[[noreturn]] void refuse(std::string text) {
  throw Error(ErrorCode::invalid_spec, std::move(text));
}
}  // namespace

std::span<const EnumName<Band>> names_of(Band) {
  static constexpr EnumName<Band> kNames[] = {{"lowpass", Band::lowpass},
                                              {"highpass", Band::highpass},
                                              {"bandpass", Band::bandpass},
                                              {"bandstop", Band::bandstop}};
  return kNames;
}
std::span<const EnumName<Family>> names_of(Family) {
  static constexpr EnumName<Family> kNames[] = {{"butterworth", Family::butterworth},
                                                {"butter", Family::butterworth},
                                                {"chebyshev1", Family::chebyshev1},
                                                {"cheby1", Family::chebyshev1},
                                                {"chebyshev2", Family::chebyshev2},
                                                {"cheby2", Family::chebyshev2},
                                                {"elliptic", Family::elliptic},
                                                {"ellip", Family::elliptic},
                                                {"bessel", Family::bessel}};
  return kNames;
}
std::span<const EnumName<IirMode>> names_of(IirMode) {
  static constexpr EnumName<IirMode> kNames[] = {{"forward", IirMode::forward},
                                                 {"zero_phase", IirMode::zero_phase},
                                                 {"zero_phase_exact", IirMode::zero_phase_exact}};
  return kNames;
}
std::span<const EnumName<IirStart>> names_of(IirStart) {
  static constexpr EnumName<IirStart> kNames[] = {{"rest", IirStart::rest},
                                                  {"steady", IirStart::steady}};
  return kNames;
}
std::span<const EnumName<IirPrecision>> names_of(IirPrecision) {
  static constexpr EnumName<IirPrecision> kNames[] = {{"auto", IirPrecision::automatic},
                                                      {"float32", IirPrecision::float32},
                                                      {"float64", IirPrecision::float64}};
  return kNames;
}

namespace {
constexpr double kMostDb = 300;  // float64 has no more
constexpr double kMostOrder = 32;

op::Schema<Iir> schema() {
  using op::field;
  return op::Schema<Iir>(
      field("band", &Iir::band, {.doc = "Which frequencies pass; required unless sos is given."}),
      field("cutoff_hz", &Iir::cutoff_hz,
            {.unit = "Hz",
             .min = 0,
             .above_min = true,
             .aliases = {"cutoff"},
             .doc = "The edge, as SciPy's Wn; for bandpass and bandstop the low and the high one. "
                    "butterworth: -3 dB; chebyshev1, elliptic: the end of the pass-band; "
                    "chebyshev2: the start of the stop-band; bessel: half of the last phase."}),
      field("order", &Iir::order,
            {.min = 1,
             .max = kMostOrder,
             .doc = "Order of each edge, as in SciPy; 5 unless passband_hz and stopband_hz ask for "
                    "the smallest that does."}),
      field("family", &Iir::family, {.doc = "Filter family."}),
      field("ripple_db", &Iir::ripple_db,
            {.unit = "dB",
             .min = 0,
             .max = kMostDb,
             .above_min = true,
             .doc = "How far the pass-band may fall: chebyshev1, elliptic, and with passband_hz."}),
      field(
          "attenuation_db", &Iir::attenuation_db,
          {.unit = "dB",
           .min = 0,
           .max = kMostDb,
           .above_min = true,
           .doc = "How far the stop-band lies below the pass-band: chebyshev2, elliptic, and with "
                  "stopband_hz."}),
      field(
          "passband_hz", &Iir::passband_hz,
          {.unit = "Hz",
           .min = 0,
           .above_min = true,
           .doc = "Where the pass-band ends, or its low and high end, instead of cutoff_hz and "
                  "order: the smallest filter that keeps ripple_db and attenuation_db is taken."}),
      field("stopband_hz", &Iir::stopband_hz,
            {.unit = "Hz",
             .min = 0,
             .above_min = true,
             .doc = "Where the stop-band begins, or its low and high end; with passband_hz."}),
      field("sos", &Iir::sos,
            {.doc = "Explicit sections, rows b0 b1 b2 a0 a1 a2, instead of band and cutoff_hz."}),
      field("mode", &Iir::mode,
            {.doc = "forward is causal; zero_phase runs backwards too, in blocks with a run-in; "
                    "zero_phase_exact keeps the whole segment for one backward pass."}),
      field("start", &Iir::start,
            {.doc = "forward: start from rest, or settled at the first sample."}),
      field("precision", &Iir::precision, {.doc = "Type of the filter's state."}),
      field("tolerance", &Iir::tolerance,
            {.min = 1e-12,
             .max = 1,
             .doc = "Error, as a share of full scale, that precision auto and the run-in of "
                    "zero_phase may cost."}));
}

/// Odd extension reflects `padlen` samples about each end, so a segment must be longer than that.
void check_segments(const IirPlan& plan) {
  const std::int64_t padlen = default_padlen(plan.sections);
  const auto& segments = plan.context.in.segments;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    if (segments[i].frames > 0 && segments[i].frames <= padlen) {
      refuse(
          fmt::format("mode: segment {} has {} samples; this zero-phase filter needs at least {}",
                      i, segments[i].frames, padlen + 1));
    }
  }
}

[[noreturn]] void refuse_imprecise(const IirPlan& plan, double error) {
  const std::string why = fmt::format(
      "the predicted error of float64 sections is {:.1e} of full scale, above the tolerance of "
      "{:.1e}",
      error, plan.filter.tolerance);
  if (!plan.filter.sos.empty()) {
    refuse("sos: " + why);
  }
  Iir lower = with_order(plan.filter, plan.context.in.rate.hz());
  const std::int64_t asked = *lower.order;
  while (--*lower.order > 0) {
    const Sections sections = design(lower, plan.context.in.rate.hz());
    if (float64_error(sections, kAssumedDc) <= plan.filter.tolerance) {
      break;
    }
  }
  refuse(fmt::format("order: {}: {}; at most {} here", asked, why, *lower.order));
}

void choose_precision(IirPlan& plan) {
  constexpr double kFloat32Output = 0x1p-23;
  const double error = float32_error(plan.sections, kAssumedDc);
  const double tolerance = plan.filter.tolerance;
  if (const double least = float64_error(plan.sections, kAssumedDc); !(least <= tolerance)) {
    refuse_imprecise(plan, least);
  }
  // Below, what the first section hands on nears the numbers that a float flushes to zero.
  constexpr double kLeastGain = 1e-30;
  const bool large_enough = std::abs(plan.sections.front().b0) > kLeastGain;
  plan.float32_state =
      plan.filter.precision == IirPrecision::float32 ||
      (plan.filter.precision == IirPrecision::automatic && error <= tolerance && large_enough);
  plan.precision_decision = fmt::format(
      "{} sections, {} state in delta form; {}predicted error of float32 {:.1e} of full scale{}",
      plan.sections.size(), plan.float32_state ? "float32" : "float64",
      plan.filter.precision == IirPrecision::automatic ? "" : "as asked, ", error,
      plan.filter.precision == IirPrecision::automatic
          ? fmt::format(", tolerance {:.1e}", tolerance)
          : "");
  plan.tolerance = std::max({tolerance, plan.float32_state ? error : 0.0, kFloat32Output});
}

/// "the smallest elliptic bandpass within the limits: order 6, cutoff_hz 300, 6000"
std::string order_decision(const Iir& filter, double rate_hz) {
  const Iir found = with_order(filter, rate_hz);
  return fmt::format("the smallest {} {} within the limits: order {}, cutoff_hz {:.6g}",
                     op::Codec<Family>::write(found.family).as_string(),
                     op::Codec<Band>::write(*found.band).as_string(), *found.order,
                     fmt::join(found.cutoff_hz, ", "));
}

std::unique_ptr<op::Step> plan_step(const Iir& filter, const op::StepContext& context) {
  IirPlan plan;
  plan.filter = filter;
  plan.context = context;
  plan.sections = design(filter, context.in.rate.hz());
  if (!filter.passband_hz.empty()) {
    plan.order_decision = order_decision(filter, context.in.rate.hz());
  }
  plan.run_in = run_in_frames(plan.sections, filter.tolerance);
  choose_precision(plan);
  if (filter.mode == IirMode::forward) {
    return make_forward_step(std::move(plan));
  }
  if (filter.start == IirStart::steady) {
    refuse("start: steady is for mode forward; zero-phase filters start from an odd extension");
  }
  check_segments(plan);
  return make_zero_phase_step(std::move(plan));
}
}  // namespace

const op::Operator& iir_operator() {
  static const auto kMade = op::make_operator<Iir>({
      .name = "iir",
      .summary = "Recursive low-, high-, band-pass or band-stop filter, causal or zero-phase.",
      .schema = schema(),
      .plan = &plan_step,
      .device = kernels::kIir,  // Zero-phase filters stay on the CPU.
  });
  return *kMade;
}

}  // namespace weir::signal
