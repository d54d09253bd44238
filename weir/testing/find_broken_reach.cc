#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>

#include "weir/testing/guarded_run.h"
#include "weir/testing/probe.h"

namespace weir::testing {
namespace {
struct Poison {
  std::int64_t frame;
  std::int64_t channel;
  float value;
};

/// Whether output row `row` of the first segment may feel a change of input frame `poison.frame`.
bool may_feel(const Probe& probe, const Poison& poison, std::int64_t row, std::int64_t channel) {
  const op::Step& step = *probe.bound.step;
  const Rational ratio = step.ports().front().ratio;
  if (row < ratio.floor_times(std::max<std::int64_t>(0, poison.frame - probe.reach()))) {
    return false;
  }
  switch (step.parallel()) {
    case op::Parallel::channels:
      return channel / step.ports().front().spread == poison.channel;
    case op::Parallel::frames:
      return row == poison.frame;
    case op::Parallel::none:
      return true;
  }
  return true;
}

void find_poisoned_samples(const Probe& probe, const Poison& poison, const Samples& poisoned,
                           Findings& findings) {
  const Samples& clean = probe.whole.samples;
  if (poisoned.frames != clean.frames) {
    findings.push_back(
        fmt::format("{}: {} changed the number of frames", probe.label, poison.value));
    return;
  }
  const std::int64_t first_segment = probe.bound.step->ports().front().stream.segments[0].frames;
  for (std::int64_t row = 0; row < clean.frames; ++row) {
    for (std::int64_t channel = 0; channel < clean.channels; ++channel) {
      const bool same = std::bit_cast<std::uint32_t>(clean(row, channel)) ==
                        std::bit_cast<std::uint32_t>(poisoned(row, channel));
      if (!same && (row >= first_segment || !may_feel(probe, poison, row, channel))) {
        findings.push_back(fmt::format(
            "{}: {} at frame {}, channel {} reaches output row {}, channel {} (reach {} frames)",
            probe.label, poison.value, poison.frame, poison.channel, row, channel, probe.reach()));
        return;
      }
    }
  }
}

EventList unreached(const Probe& probe, const Poison& poison, const EventList& events) {
  EventList kept;
  std::copy_if(events.begin(), events.end(), std::back_inserter(kept), [&](const Event& event) {
    return event.segment != 0 || event.final < poison.frame - probe.reach() ||
           (probe.bound.step->parallel() == op::Parallel::channels &&
            event.channel != poison.channel);
  });
  return kept;
}

void find_poison(const Probe& probe, const Poison& poison, Findings& findings) {
  Samples in = probe.in;
  in(poison.frame, poison.channel) = poison.value;
  const Buffer data = formed(probe.bound, probe.stream, in);
  const Outcome poisoned = run_bound(probe.bound, data.block());
  if (probe.signal()) {
    find_poisoned_samples(probe, poison, poisoned.samples, findings);
  } else if (unreached(probe, poison, poisoned.events) !=
             unreached(probe, poison, probe.whole.events)) {
    findings.push_back(fmt::format("{}: {} at frame {}, channel {} changes events it cannot reach",
                                   probe.label, poison.value, poison.frame, poison.channel));
  }
}

/// After n frames, what stands `latency` before them has been emitted.
void find_late_output(const Probe& probe, Findings& findings) {
  const op::Step& step = *probe.bound.step;
  const op::Port& port = step.ports().front();
  const AnyBlock data = probe.segment(0);
  const std::int64_t grid = step.grid_frames();
  const std::int64_t block = (59 + grid - 1) / grid * grid;
  GuardedRun run(probe.bound, {0, 0, 0, data.channels()}, block);
  for (std::int64_t given = block; given <= data.frames(); given += block) {
    run.push(data.slice(given - block, block));
    const std::int64_t known = std::max<std::int64_t>(0, given - probe.reach());
    const std::int64_t due =
        std::min(port.ratio.floor_times(known), port.stream.segments[0].frames);
    if (probe.signal() && run.samples().frames < due) {
      findings.push_back(fmt::format(
          "{}: latency: after {} frames only {} came out, {} were due with a latency of {}",
          probe.label, given, run.samples().frames, due, probe.reach()));
      return;
    }
    const auto is_due = [&](const Event& event) {
      return event.segment == 0 && event.final < known;
    };
    const auto due_events =
        std::count_if(probe.whole.events.begin(), probe.whole.events.end(), is_due);
    if (std::count_if(run.events().begin(), run.events().end(), is_due) < due_events) {
      findings.push_back(
          fmt::format("{}: latency: after {} frames events final before {} are missing",
                      probe.label, given, known));
      return;
    }
  }
}
}  // namespace

void find_broken_reach(const Probe& probe, Findings& findings) {
  find_late_output(probe, findings);
  if (probe.bound.in.type != SampleType::float32 && probe.bound.in.type != SampleType::float64) {
    return;  // integers have no NaN
  }
  const std::int64_t frames = probe.stream.segments.front().frames;
  const std::int64_t channel = probe.stream.channel_count() / 2;
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const Poison poisons[] = {{frames / 2, channel, std::numeric_limits<float>::quiet_NaN()},
                            {frames - 1, channel, std::numeric_limits<float>::quiet_NaN()},
                            {0, 0, std::numeric_limits<float>::quiet_NaN()},
                            {frames * 2 / 3, 0, kInfinity},
                            {frames / 3, channel, -kInfinity}};
  for (const auto& poison : poisons) {
    find_poison(probe, poison, findings);
  }
}

}  // namespace weir::testing
