#include "weir/pipeline/plan/event_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "weir/core/error.h"
#include "weir/pipeline/plan/graph.h"

namespace weir::pipeline {
namespace {
__extension__ using Wide = __int128;

std::int64_t clamped(Wide value, std::int64_t low, std::int64_t high) {
  return value < low ? low : value > high ? high : static_cast<std::int64_t>(value);
}

/// The last node of both paths from the reader, or the reader.
std::int64_t common_ancestor(const std::vector<std::int64_t>& a,
                             const std::vector<std::int64_t>& b) {
  std::int64_t last = kReader;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()) && a[i] == b[i]; ++i) {
    last = a[i];
  }
  return last;
}

/// The part of a path below `ancestor`.
std::vector<std::int64_t> below(std::vector<std::int64_t> path, std::int64_t ancestor) {
  const auto at = std::find(path.begin(), path.end(), ancestor);
  return at == path.end() ? path : std::vector<std::int64_t>(at + 1, path.end());
}

/// Input frames that a step may keep to itself: its latency, and what waits for a whole grid.
std::int64_t held_back(const op::Step& step) {
  const op::Latency latency = step.latency();
  return std::max(latency.at_start, latency.steady) + step.grid_frames() - 1;
}

bool keeps_rate(const Rational& ratio) {
  return ratio == Rational(1);
}
}  // namespace

SampleMap::SampleMap(const Segment& from, const SampleRate& from_rate, const Segment& to,
                     const SampleRate& to_rate)
    : same_(from.start_s == to.start_s && from_rate == to_rate), frames_(to.frames) {
  const Rational shift = (from.start_s - to.start_s) * to_rate.exact();
  const Rational step = to_rate.exact() / from_rate.exact();
  // One denominator for both; what does not fit is refused by the exact numbers themselves.
  const std::int64_t shared = std::gcd(shift.denominator(), step.denominator());
  const Rational divisor = Rational(shift.denominator() / shared) * Rational(step.denominator());
  shift_ = (shift * divisor).numerator();
  step_ = (step * divisor).numerator();
  divisor_ = divisor.numerator();
}

std::int64_t SampleMap::operator()(std::int64_t sample) const noexcept {
  if (same_) {
    return sample;
  }
  const Wide value = Wide{shift_} + Wide{step_} * sample;
  Wide whole = value / divisor_;
  Wide rest = value % divisor_;
  if (rest < 0) {
    rest += divisor_;
    --whole;
  }
  const Wide twice = 2 * rest;
  const bool up = twice > divisor_ || (twice == divisor_ && whole % 2 != 0);
  constexpr std::int64_t kFar = std::int64_t{1} << 62;
  return clamped(whole + (up ? 1 : 0), -kFar, kFar);
}

Event SampleMap::operator()(const Event& event) const noexcept {
  Event mapped = event;
  if (same_) {
    return mapped;
  }
  const std::int64_t last = std::max<std::int64_t>(frames_ - 1, 0);
  mapped.onset = std::clamp<std::int64_t>((*this)(event.onset), 0, last);
  mapped.peak = std::clamp<std::int64_t>((*this)(event.peak), 0, last);
  mapped.final = std::clamp<std::int64_t>((*this)(event.final), 0, frames_);
  if (event.offset != Event::kOpen) {
    mapped.offset = std::clamp<std::int64_t>((*this)(event.offset), mapped.onset, frames_);
  }
  return mapped;
}

std::size_t KnownEvents::bytes() const noexcept {
  std::size_t bytes = 0;
  for (const EventList& events : segments) {
    bytes += events.capacity() * sizeof(Event);
  }
  return bytes;
}

void check_clocks(const StreamInfo& from, const StreamInfo& to) {
  WEIR_CHECK(from.segments.size() == to.segments.size());  // Steps keep the segments they get.
  for (std::size_t i = 0; i < to.segments.size(); ++i) {
    in_context(fmt::format("events: segment {}", i),
               [&] { SampleMap(from.segments[i], from.rate, to.segments[i], to.rate); });
  }
}

std::int64_t events_lag(const Graph& graph, std::int64_t parent, std::int64_t detector) {
  const auto to_parent = graph.path_to(parent);
  const auto to_detector = graph.path_to(detector);
  const std::int64_t ancestor = common_ancestor(to_parent, to_detector);
  // Rows of the parent: at most `ratio * frames of the ancestor + early`.
  Rational ratio(1);
  Rational early(0);
  for (const std::int64_t at : below(to_parent, ancestor)) {
    const Rational& step = graph.node(at).step->ports().front().ratio;
    ratio = ratio * step;
    early = early * step + Rational(keeps_rate(step) ? 0 : 1);
  }
  // Frames in which the detector's events are certain: at least `found * frames of the ancestor -
  // late`.
  Rational found(1);
  Rational late(0);
  for (const std::int64_t at : below(to_detector, ancestor)) {
    const GraphNode& node = graph.node(at);
    late = late + Rational(held_back(*node.step));
    if (at != detector) {
      const Rational& step = node.step->ports().front().ratio;
      found = found * step;
      late = late * step + Rational(keeps_rate(step) ? 0 : 1);
    }
  }
  const Rational scale = ratio / found;
  const bool rounded = !keeps_rate(scale);
  return (early + scale * late).ceil_times(1) + (rounded ? 1 : 0);
}

}  // namespace weir::pipeline
