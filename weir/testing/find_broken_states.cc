#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "weir/testing/guarded_run.h"
#include "weir/testing/probe.h"

namespace weir::testing {
namespace {
std::int64_t block_for(const op::Step& step, std::int64_t about) {
  const std::int64_t grid = step.grid_frames();
  return (about + grid - 1) / grid * grid;
}

Outcome outcome_of(const GuardedRun& run) {
  Outcome outcome{run.samples(), run.events(), {}};
  std::stable_sort(outcome.events.begin(), outcome.events.end(), row_before);
  return outcome;
}

/// Two states of one step, fed in turns, must not know of each other.
void find_shared_states(const Probe& probe, Findings& findings) {
  const AnyBlock data = probe.segment(0);
  const std::int64_t block = block_for(*probe.bound.step, 211);
  GuardedRun alone(probe.bound, {0, 0, 0, data.channels()}, block);
  GuardedRun first(probe.bound, {0, 0, 0, data.channels()}, block);
  GuardedRun second(probe.bound, {0, 0, 0, data.channels()}, block);
  const auto feed = [&](GuardedRun& run, std::int64_t at) {
    run.push(data.slice(at, std::min(block, data.frames() - at)));
  };
  for (std::int64_t at = 0; at < data.frames(); at += block) {
    feed(alone, at);
  }
  alone.finish();
  for (std::int64_t at = 0; at < data.frames(); at += block) {
    feed(first, at);
    feed(second, at);
  }
  first.finish();
  second.finish();
  for (const GuardedRun* run : {&first, &second}) {
    const std::string text = difference(outcome_of(*run), outcome_of(alone));
    if (!text.empty()) {
      findings.push_back(
          fmt::format("{}: two states run in turns disturb each other: {}", probe.label, text));
      return;
    }
  }
}

/// The probe's segments hold the same data, so they must give the same answers.
void find_states_across_segments(const Probe& probe, Findings& findings) {
  if (probe.stream.segments.size() < 2 ||
      probe.stream.segments[0].frames != probe.stream.segments[1].frames) {
    return;
  }
  const Samples& all = probe.whole.samples;
  const std::int64_t half = all.frames / 2;
  const auto middle = all.values.begin() + static_cast<std::ptrdiff_t>(half * all.channels);
  Outcome first{{half, all.channels, {all.values.begin(), middle}}, {}, {}};
  Outcome second{{all.frames - half, all.channels, {middle, all.values.end()}}, {}, {}};
  for (Event event : probe.whole.events) {
    auto& events = event.segment == 0 ? first.events : second.events;
    event.segment = 0;
    events.push_back(event);
  }
  const std::string text = difference(second, first);
  if (!text.empty()) {
    findings.push_back(
        fmt::format("{}: a segment remembers the one before: {}", probe.label, text));
  }
}

/// Steps parallel over frames take any stretch at any time.
void find_order_dependence(const Probe& probe, Findings& findings) {
  if (probe.bound.step->parallel() != op::Parallel::frames || !probe.signal()) {
    return;
  }
  const AnyBlock data = probe.segment(0);
  const std::int64_t block = block_for(*probe.bound.step, 173);
  Outcome outcome;
  outcome.samples.channels = probe.whole.samples.channels;
  for (std::int64_t at = (data.frames() - 1) / block * block; at >= 0; at -= block) {
    GuardedRun run(probe.bound, {0, at, 0, data.channels()}, block);
    run.push(data.slice(at, std::min(block, data.frames() - at)));
    run.finish();
    outcome.samples.values.insert(outcome.samples.values.begin(), run.samples().values.begin(),
                                  run.samples().values.end());
    outcome.samples.frames += run.samples().frames;
  }
  Outcome expected = probe.whole;
  expected.counters.clear();
  expected.samples.frames = data.frames();
  expected.samples.values.resize(
      static_cast<std::size_t>(data.frames() * expected.samples.channels));
  const std::string text = difference(outcome, expected);
  if (!text.empty()) {
    findings.push_back(fmt::format(
        "{}: parallel over frames, but stretches run backwards differ: {}", probe.label, text));
  }
}
}  // namespace

void find_broken_states(const Probe& probe, Findings& findings) {
  find_shared_states(probe, findings);
  find_states_across_segments(probe, findings);
  find_order_dependence(probe, findings);
}

void find_broken_settling(const Probe& probe, Findings& findings) {
  const op::Step& step = *probe.bound.step;
  const op::Port& port = step.ports().front();
  const AnyBlock data = probe.segment(0);
  const std::int64_t unit = std::lcm(step.grid_frames(), port.ratio.denominator());
  const std::int64_t start = (data.frames() / 4 + unit - 1) / unit * unit;
  const std::int64_t settled = start + step.settle_frames();
  if (!probe.signal() || settled + probe.reach() >= data.frames()) {
    return;  // needs more frames than the probe has
  }
  GuardedRun run(probe.bound, {0, start, 0, data.channels()}, data.frames() - start);
  run.push(data.slice(start, data.frames() - start));
  run.finish();
  const Samples& whole = probe.whole.samples;
  const std::int64_t skipped = port.ratio.floor_times(start);
  double full_scale = 1e-30;
  double worst = 0;
  for (std::int64_t row = port.ratio.ceil_times(settled); row < port.stream.segments[0].frames;
       ++row) {
    for (std::int64_t channel = 0; channel < whole.channels; ++channel) {
      const double expected = whole(row, channel);
      const double actual =
          row - skipped < run.samples().frames ? run.samples()(row - skipped, channel) : NAN;
      full_scale = std::max(full_scale, std::fabs(expected));
      worst = std::fabs(actual - expected) <= worst ? worst : std::fabs(actual - expected);
    }
  }
  if (!(worst <= step.tolerance() * full_scale)) {
    findings.push_back(fmt::format(
        "{}: settle_frames: {} frames after a fresh start the answer is off by {:.2e} of full "
        "scale, {:.2e} are allowed",
        probe.label, step.settle_frames(), worst / full_scale, step.tolerance()));
  }
}

}  // namespace weir::testing
