#include "weir/signal/ops/iir/iir.h"

#include <fmt/format.h>

#include "weir/signal/ops/iir/iir_error.h"

namespace weir::signal {
using op::EnumName;

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
namespace {
constexpr double kMostDb = 300;  // float64 has no more
constexpr double kMostOrder = 32;

op::Schema<Iir> schema() {
  using op::field;
  return with_running<Iir>(
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
            {.doc = "Explicit sections, rows b0 b1 b2 a0 a1 a2, instead of band and cutoff_hz."}));
}

/// Names the field, and the order that would do.
std::string blame(const Iir& filter, double rate_hz, const std::string& why) {
  if (!filter.sos.empty()) {
    return "sos: " + why;
  }
  Iir lower = with_order(filter, rate_hz);
  const std::int64_t asked = *lower.order;
  while (--*lower.order > 0) {
    if (float64_error(design(lower, rate_hz), kAssumedDc) <= filter.tolerance) {
      break;
    }
  }
  return fmt::format("order: {}: {}; at most {} here", asked, why, *lower.order);
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
  const double rate_hz = context.in.rate.hz();
  PlannedSections planned{design(filter, rate_hz), "",
                          [&](const std::string& why) { return blame(filter, rate_hz, why); }};
  if (!filter.passband_hz.empty()) {
    planned.decision = order_decision(filter, rate_hz);
  }
  return plan_cascade(filter, planned, context);
}
}  // namespace

const op::Operator& iir_operator() {
  static const auto kMade = op::make_operator<Iir>({
      .name = "iir",
      .summary = "Recursive low-, high-, band-pass or band-stop filter, causal or zero-phase.",
      .schema = schema(),
      .plan = &plan_step,
      .device = iir_device_text(),
  });
  return *kMade;
}

}  // namespace weir::signal
