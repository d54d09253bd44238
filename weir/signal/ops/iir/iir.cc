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
std::span<const EnumName<IirFamily>> names_of(IirFamily) {
  static constexpr EnumName<IirFamily> kNames[] = {{"butterworth", IirFamily::butterworth}};
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
constexpr std::size_t kMostSections = 32;

op::Schema<Iir> schema() {
  using op::field;
  return op::Schema<Iir>(
      field("band", &Iir::band, {.doc = "Which frequencies pass; required unless sos is given."}),
      field("cutoff_hz", &Iir::cutoff_hz,
            {.unit = "Hz",
             .min = 0,
             .above_min = true,
             .aliases = {"cutoff"},
             .doc = "The -3 dB edge; for bandpass and bandstop the low and the high one."}),
      field("order", &Iir::order, {.min = 1, .max = 16, .doc = "Order of each edge, as in SciPy."}),
      field("family", &Iir::family, {.doc = "Filter family."}),
      field("ripple_db", &Iir::ripple_db,
            {.unit = "dB", .doc = "Pass-band ripple of families that have one."}),
      field("attenuation_db", &Iir::attenuation_db,
            {.unit = "dB", .doc = "Stop-band attenuation of families that have one."}),
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

Sections explicit_sections(const Iir& filter) {
  if (filter.band || !filter.cutoff_hz.empty()) {
    refuse(fmt::format("sos: given together with {}; the sections are the whole filter",
                       filter.band ? "band" : "cutoff_hz"));
  }
  if (filter.sos.size() > kMostSections) {
    refuse(fmt::format("sos: {} sections; at most {}", filter.sos.size(), kMostSections));
  }
  Sections sections;
  for (std::size_t i = 0; i < filter.sos.size(); ++i) {
    const auto& row = filter.sos[i];
    if (row.size() != 6) {
      refuse(fmt::format("sos: row {} has {} numbers; a row is b0 b1 b2 a0 a1 a2", i, row.size()));
    }
    if (row[3] == 0 ||
        !std::all_of(row.begin(), row.end(), [](double v) { return std::isfinite(v); })) {
      refuse(fmt::format("sos: row {} needs finite numbers and a0 other than 0", i));
    }
    sections.push_back(Section::from_row(std::span<const double, 6>(row)));
    const double margin = stability_margin(sections.back());
    if (!(margin > 0)) {
      refuse(
          fmt::format("sos: row {} is unstable: its outermost pole has radius {:.9g}, not below 1",
                      i, 1 - margin));
    }
  }
  return sections;
}

void check_edges(const Iir& filter, Band wanted, double rate_hz) {
  const bool two = wanted == Band::bandpass || wanted == Band::bandstop;
  const std::string band = op::Codec<Band>::write(wanted).as_string();
  if (filter.cutoff_hz.size() != (two ? 2 : 1)) {
    refuse(fmt::format("cutoff_hz: {} takes {}; {} given", band,
                       two ? "two frequencies, low and high" : "one frequency",
                       filter.cutoff_hz.size()));
  }
  for (const double edge : filter.cutoff_hz) {
    if (!(edge > 0) || !std::isfinite(edge)) {
      refuse(fmt::format("cutoff_hz: {} Hz is not above 0", edge));
    }
    if (edge >= rate_hz / 2) {
      refuse(fmt::format("cutoff_hz: {} Hz is not below Nyquist ({} Hz)", edge, rate_hz / 2));
    }
  }
  if (two && filter.cutoff_hz[0] >= filter.cutoff_hz[1]) {
    refuse(fmt::format("cutoff_hz: the low edge ({} Hz) must be below the high one ({} Hz)",
                       filter.cutoff_hz[0], filter.cutoff_hz[1]));
  }
}

void check_family(const Iir& filter) {
  const std::pair<const char*, const std::optional<double>&> foreign[] = {
      {"ripple_db", filter.ripple_db}, {"attenuation_db", filter.attenuation_db}};
  for (const auto& [name, value] : foreign) {
    if (value) {
      refuse(fmt::format("{}: {} dB given, but a butterworth filter has none; leave it out", name,
                         *value));
    }
  }
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

void choose_precision(IirPlan& plan) {
  constexpr double kFloat32Output = 0x1p-23;
  const double error = float32_error(plan.sections, kAssumedDc);
  const double tolerance = plan.filter.tolerance;
  plan.float32_state = plan.filter.precision == IirPrecision::float32 ||
                       (plan.filter.precision == IirPrecision::automatic && error <= tolerance);
  plan.precision_decision = fmt::format(
      "{} sections, {} state in delta form; {}predicted error of float32 {:.1e} of full scale{}",
      plan.sections.size(), plan.float32_state ? "float32" : "float64",
      plan.filter.precision == IirPrecision::automatic ? "" : "as asked, ", error,
      plan.filter.precision == IirPrecision::automatic
          ? fmt::format(", tolerance {:.1e}", tolerance)
          : "");
  plan.tolerance = std::max({tolerance, plan.float32_state ? error : 0.0, kFloat32Output});
}

std::unique_ptr<op::Step> plan_step(const Iir& filter, const op::StepContext& context) {
  IirPlan plan;
  plan.filter = filter;
  plan.context = context;
  plan.sections = design(filter, context.in.rate.hz());
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

Sections design(const Iir& filter, double rate_hz) {
  check_family(filter);
  if (!filter.sos.empty()) {
    return explicit_sections(filter);
  }
  if (!filter.band) {
    refuse("band: is required (or give explicit sections as sos)");
  }
  if (filter.cutoff_hz.empty()) {
    refuse("cutoff_hz: is required (or give explicit sections as sos)");
  }
  check_edges(filter, *filter.band, rate_hz);
  Sections sections = butterworth(*filter.band, filter.order, filter.cutoff_hz, rate_hz);
  if (!(stability_margin(sections) > 1e-12)) {
    refuse(fmt::format(
        "cutoff_hz: {} Hz is too low for a rate of {} Hz: the poles cannot be told from 1",
        filter.cutoff_hz[0], rate_hz));
  }
  return sections;
}

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
