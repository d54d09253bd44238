#include <fmt/format.h>
#include <hwy/targets.h>

#include <algorithm>
#include <cmath>

#include "weir/testing/probe.h"

namespace weir::testing {
namespace {
/// Makes Highway's dispatch choose one instruction set while it lives.
class OnlyTarget {
 public:
  explicit OnlyTarget(std::int64_t target) { choose(target); }
  ~OnlyTarget() { choose(0); }
  OnlyTarget(const OnlyTarget&) = delete;
  OnlyTarget& operator=(const OnlyTarget&) = delete;

 private:
  static void choose(std::int64_t target) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().DeInit();
  }
};

double relative_error(const Samples& actual, const Samples& expected) {
  double full_scale = 1e-30;
  double worst = 0;
  for (std::size_t i = 0; i < expected.values.size(); ++i) {
    const double error = std::fabs(double{actual.values[i]} - double{expected.values[i]});
    full_scale = std::max(full_scale, std::fabs(double{expected.values[i]}));
    worst = error <= worst ? worst : error;  // NaN stays
  }
  return worst / full_scale;
}
}  // namespace

void find_broken_targets(const Probe& probe, Findings& findings) {
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    const OnlyTarget only(target);
    const Outcome outcome = run_bound(probe.bound, probe.data.block());
    const bool same_shape = outcome.samples.frames == probe.whole.samples.frames &&
                            outcome.events.size() == probe.whole.events.size();
    if (!same_shape) {
      findings.push_back(fmt::format("{}: {} gives {} frames and {} events instead of {} and {}",
                                     probe.label, hwy::TargetName(target), outcome.samples.frames,
                                     outcome.events.size(), probe.whole.samples.frames,
                                     probe.whole.events.size()));
      continue;
    }
    const double error = relative_error(outcome.samples, probe.whole.samples);
    if (!(error <= probe.options.relative)) {
      findings.push_back(fmt::format("{}: {} is off by {:.2e} of full scale, {:.2e} are allowed",
                                     probe.label, hwy::TargetName(target), error,
                                     probe.options.relative));
    }
  }
}

}  // namespace weir::testing
