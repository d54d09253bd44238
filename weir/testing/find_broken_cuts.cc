#include <fmt/format.h>

#include <algorithm>

#include "weir/signal/generate/counter_random.h"
#include "weir/testing/guarded_run.h"
#include "weir/testing/probe.h"

namespace weir::testing {
namespace {
struct NamedCuts {
  std::string what;
  Cuts cuts;
};

std::vector<std::int64_t> random_cuts(std::int64_t longest) {
  std::vector<std::int64_t> frames;
  const std::uint64_t key = signal::key_of(3, 14);
  constexpr std::uint64_t kCuts = 64;
  frames.reserve(kCuts);
  for (std::uint64_t i = 0; i < kCuts; ++i) {
    frames.push_back(1 + static_cast<std::int64_t>(signal::random_bits(key, i) %
                                                   static_cast<std::uint64_t>(longest)));
  }
  return frames;
}

std::vector<NamedCuts> cuts_for(std::int64_t frames) {
  return {
      {"blocks of 1 frame", {.frames = {1}}},
      {"blocks of 7 frames", {.frames = {7}}},
      {"blocks of 13, 101, 1, 997 frames", {.frames = {13, 101, 1, 997}}},
      {"all but one frame, then one", {.frames = {std::max<std::int64_t>(1, frames - 1), 1}}},
      {"blocks longer than the segment", {.frames = {frames + 1000}}},
      {"random blocks", {.frames = random_cuts(300)}},
      {"states saved and loaded between blocks", {.frames = {97, 1, 509}, .reload_state = true}},
      {"groups of 32 channels", {.group_channels = 32}},
      {"groups of 64 channels in blocks of 61 frames, reloaded",
       {.frames = {61}, .group_channels = 64, .reload_state = true}}};
}

void find_broken_fit(const Probe& probe, Findings& findings) {
  const BoundStep fresh = bind(probe.op, probe.params, probe.stream, probe.bound.events);
  if (fresh.step->fit() == op::Fit::none) {
    return;
  }
  Value first;
  for (const auto& cuts : {Cuts{}, Cuts{.frames = {11, 1, 400}}}) {
    const auto fitter = fresh.step->fitter();
    std::int64_t start = 0;
    for (const auto& segment : fresh.in.segments) {
      for_each_cut(cuts, segment.frames, [&](std::int64_t at, std::int64_t count) {
        fitter->add(probe.data.block().slice(start + at, count));
      });
      start += segment.frames;
    }
    const Value values = op::finish_alone(*fitter);
    if (cuts.frames.empty()) {
      first = values;
    } else if (!(values == first)) {
      findings.push_back(
          fmt::format("{}: the fit depends on how its stretches were cut", probe.label));
    }
  }
}

/// What a signal port says of its rate, its rows and its channels.
void find_broken_port(const Probe& probe, Findings& findings) {
  const op::Step& step = *probe.bound.step;
  const op::Port& port = step.ports().front();
  if (!probe.signal()) {
    return;
  }
  if (port.stream.axis != probe.bound.in.axis) {
    if (port.ratio != Rational(0)) {
      findings.push_back(fmt::format("{}: ports: a ratio of {} where rows run along {}",
                                     probe.label, port.ratio.text(), name(port.stream.axis)));
    }
  } else if (!(port.stream.rate.exact() == probe.bound.in.rate.exact() * port.ratio)) {
    findings.push_back(fmt::format("{}: ports: a rate of {} is not {} times {}", probe.label,
                                   port.stream.rate.text(), port.ratio.text(),
                                   probe.bound.in.rate.text()));
  }
  const std::int64_t wide = op::output_channels(step, probe.bound.in.channel_count());
  if (port.stream.channel_count() != wide) {
    findings.push_back(fmt::format("{}: ports: {} channels where a spread of {} makes {}",
                                   probe.label, port.stream.channel_count(), port.spread, wide));
  }
}
}  // namespace

void find_broken_cuts(const Probe& probe, Findings& findings) {
  const std::int64_t frames = probe.stream.segments.front().frames;
  const bool wide = probe.stream.channel_count() > 64;
  for (const auto& [what, cuts] : cuts_for(frames)) {
    if (wide && !cuts.frames.empty() && cuts.frames.front() < 13) {
      continue;  // tried on fewer channels, where it costs less
    }
    std::string text;
    try {
      text = difference(run_bound(probe.bound, probe.data.block(), cuts), probe.whole);
    } catch (const Error& error) {
      text = error.text();
    }
    if (!text.empty()) {
      findings.push_back(
          fmt::format("{}: the answer depends on the cut: {}: {}", probe.label, what, text));
    }
  }
  find_broken_fit(probe, findings);
}

void find_broken_rooms(const Probe& probe, Findings& findings) {
  const op::Step& step = *probe.bound.step;
  const op::Port& port = step.ports().front();
  if (port.stream.segments.size() != probe.bound.in.segments.size()) {
    findings.push_back(fmt::format("{}: ports: {} segments for {} of the input", probe.label,
                                   port.stream.segments.size(), probe.bound.in.segments.size()));
    return;
  }
  find_broken_port(probe, findings);
  if (!findings.empty()) {
    return;
  }
  const std::int64_t grid = step.grid_frames();
  const std::int64_t block = (313 + grid - 1) / grid * grid;
  for (std::size_t i = 0; i < probe.stream.segments.size(); ++i) {
    const AnyBlock data = probe.segment(i);
    GuardedRun run(probe.bound, {static_cast<std::int64_t>(i), 0, 0, data.channels()}, block);
    for (std::int64_t first = 0; first < data.frames(); first += block) {
      run.push(data.slice(first, std::min(block, data.frames() - first)));
    }
    run.finish();
    for (const auto& text : run.broken()) {
      findings.push_back(fmt::format("{}: {}", probe.label, text));
    }
    if (probe.signal() && run.samples().frames != port.stream.segments[i].frames) {
      findings.push_back(fmt::format(
          "{}: ports: segment {} of {} frames gave {} frames, its port says {}", probe.label, i,
          data.frames(), run.samples().frames, port.stream.segments[i].frames));
    }
    if (!findings.empty()) {
      return;
    }
  }
}

}  // namespace weir::testing
