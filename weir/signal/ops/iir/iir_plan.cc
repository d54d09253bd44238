#include "weir/signal/ops/iir/iir_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "weir/signal/ops/iir/iir_cl.h"
#include "weir/signal/ops/iir/iir_error.h"
#include "weir/signal/ops/iir/iir_step_internal.h"

namespace weir::signal {
using op::EnumName;

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
[[noreturn]] void refuse(std::string text) {
  throw Error(ErrorCode::invalid_spec, std::move(text));
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

void choose_precision(IirPlan& plan, const PlannedSections& planned) {
  constexpr double kFloat32Output = 0x1p-23;
  const double tolerance = plan.running.tolerance;
  const double error = float32_error(plan.sections, kAssumedDc);
  if (const double least = float64_error(plan.sections, kAssumedDc); !(least <= tolerance)) {
    refuse(planned.blame(
        fmt::format("the predicted error of float64 sections is {:.1e} of full scale, above the "
                    "tolerance of {:.1e}",
                    least, tolerance)));
  }
  // Below, what the first section hands on nears the numbers that a float flushes to zero.
  constexpr double kLeastGain = 1e-30;
  const bool large_enough = std::abs(plan.sections.front().b0) > kLeastGain;
  const bool automatic = plan.running.precision == IirPrecision::automatic;
  plan.float32_state = plan.running.precision == IirPrecision::float32 ||
                       (automatic && error <= tolerance && large_enough);
  plan.decisions.push_back(fmt::format(
      "{} sections, {} state in delta form; {}predicted error of float32 {:.1e} of full scale{}",
      plan.sections.size(), plan.float32_state ? "float32" : "float64",
      automatic ? "" : "as asked, ", error,
      automatic ? fmt::format(", tolerance {:.1e}", tolerance) : ""));
  plan.tolerance = std::max({tolerance, plan.float32_state ? error : 0.0, kFloat32Output});
}
}  // namespace

std::unique_ptr<op::Step> plan_cascade(const IirRunning& running, const PlannedSections& planned,
                                       const op::StepContext& context) {
  IirPlan plan;
  plan.running = running;
  plan.context = context;
  plan.sections = planned.sections;
  if (!planned.decision.empty()) {
    plan.decisions.push_back(planned.decision);
  }
  plan.run_in = run_in_frames(plan.sections, running.tolerance);
  choose_precision(plan, planned);
  if (running.mode == IirMode::forward) {
    return make_forward_step(std::move(plan));
  }
  if (running.start == IirStart::steady) {
    refuse("start: steady is for mode forward; zero-phase filters start from an odd extension");
  }
  check_segments(plan);
  return make_zero_phase_step(std::move(plan));
}

op::DeviceText iir_device_text() {
  return kernels::kIir;
}

}  // namespace weir::signal
