#include <fmt/format.h>

#include <algorithm>

#include "weir/core/error.h"
#include "weir/pipeline/input/exact_time_internal.h"
#include "weir/pipeline/input/timeline_internal.h"

namespace weir::pipeline {
namespace {
/// Frames [first, stop) of a stretch.
struct Range {
  std::int64_t first = 0;
  std::int64_t stop = 0;
};

/// Keeps a range of one stretch.
void trim(Stretch& stretch, const Range& range, const SampleRate& rate) {
  std::vector<Piece> kept;
  std::int64_t at = 0;
  for (Piece piece : stretch.pieces) {
    const std::int64_t first = std::max(range.first - at, std::int64_t{0});
    const std::int64_t stop = std::min(range.stop - at, piece.frames);
    at += piece.frames;
    if (first < stop) {
      piece.first += first;
      piece.frames = stop - first;
      kept.push_back(piece);
    }
  }
  stretch.pieces = std::move(kept);
  stretch.segment.start_s = time_sum(stretch.segment.start_s, time_of(range.first, rate));
  stretch.segment.first_frame += range.first;
  stretch.segment.frames = range.stop - range.first;
}

/// A range as frames of each stretch.
class Cutter {
 public:
  Cutter(const Timeline& timeline, const Read& read, const std::string& name)
      : timeline_(timeline), read_(read), name_(name) {
    for (const auto& stretch : timeline.stretches) {
      frames_ += stretch.segment.frames;
      const Rational end =
          time_sum(elapsed(stretch), time_of(stretch.segment.frames, timeline.rate));
      seconds_ = std::max(seconds_, end);
    }
  }

  std::vector<Range> by_samples() const {
    const std::int64_t start = read_.start.value_or(0);
    const std::int64_t stop = read_.stop.value_or(frames_);
    if (start > 0 && start >= frames_) {
      refuse("start", fmt::format("sample {}", start));
    }
    if (stop > frames_) {
      refuse("stop", fmt::format("sample {}", stop));
    }
    std::vector<Range> ranges;
    std::int64_t at = 0;
    for (const auto& stretch : timeline_.stretches) {
      ranges.push_back(clamped(start - at, stop - at, stretch));
      at += stretch.segment.frames;
    }
    return ranges;
  }

  std::vector<Range> by_seconds() const {
    const Rational start = Rational::from_decimal(read_.start_s.value_or(0));
    const Rational stop = read_.stop_s ? Rational::from_decimal(*read_.stop_s) : seconds_;
    const std::string_view field = read_.start_s ? "start_s" : "stop_s";
    if (timeline_.stretches.size() > 1 && !timeline_.timed) {
      throw Error(
          ErrorCode::invalid_spec,
          fmt::format("{}: the segments of {} have no times; use start and stop", field, name_));
    }
    if (start > Rational(0) && start >= seconds_) {
      refuse("start_s", fmt::format("{} s", read_.start_s.value_or(0)));
    }
    if (ceil_frames(stop, timeline_.rate) > ceil_frames(seconds_, timeline_.rate)) {
      refuse("stop_s", fmt::format("{} s", read_.stop_s.value_or(0)));
    }
    std::vector<Range> ranges;
    ranges.reserve(timeline_.stretches.size());
    for (const auto& stretch : timeline_.stretches) {
      ranges.push_back(
          clamped(ceil_frames(time_difference(start, elapsed(stretch)), timeline_.rate),
                  ceil_frames(time_difference(stop, elapsed(stretch)), timeline_.rate), stretch));
    }
    return ranges;
  }

 private:
  static Range clamped(std::int64_t start, std::int64_t stop, const Stretch& stretch) {
    const std::int64_t frames = stretch.segment.frames;
    const std::int64_t first = std::clamp(start, std::int64_t{0}, frames);
    return {first, std::clamp(stop, first, frames)};
  }

  Rational elapsed(const Stretch& stretch) const {
    return time_difference(stretch.segment.start_s, timeline_.stretches[0].segment.start_s);
  }

  [[noreturn]] void refuse(std::string_view field, const std::string& what) const {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("{}: {} is beyond the end of {}, which holds {} samples ({:.10g} s)",
                            field, what, name_, frames_, seconds_.to_double()));
  }

  const Timeline& timeline_;
  const Read& read_;
  const std::string& name_;
  std::int64_t frames_ = 0;
  Rational seconds_{0};
};
}  // namespace

void cut_timeline(Timeline& timeline, const Read& read, const std::string& name) {
  const bool in_seconds = read.start_s || read.stop_s;
  if (timeline.stretches.empty() || !(in_seconds || read.start || read.stop)) {
    return;
  }
  const Cutter cutter(timeline, read, name);
  const auto ranges = in_seconds ? cutter.by_seconds() : cutter.by_samples();
  std::vector<Stretch> kept;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    if (ranges[i].first < ranges[i].stop) {
      kept.push_back(std::move(timeline.stretches[i]));
      trim(kept.back(), ranges[i], timeline.rate);
    }
  }
  if (kept.empty()) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("{}: no sample of {} lies in the range",
                            in_seconds ? (read.start_s ? "start_s" : "stop_s")
                                       : (read.start ? "start" : "stop"),
                            name));
  }
  timeline.stretches = std::move(kept);
}

}  // namespace weir::pipeline
