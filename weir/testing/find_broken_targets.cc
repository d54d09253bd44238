#include <fmt/format.h>
#include <hwy/targets.h>

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
