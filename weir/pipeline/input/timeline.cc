#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "weir/core/error.h"
#include "weir/pipeline/input/exact_time_internal.h"
#include "weir/pipeline/input/timeline_internal.h"

namespace weir::pipeline {
namespace {
using Sources = std::span<const std::unique_ptr<RecordingSource>>;

/// One stored segment and its place on the common clock.
struct Part {
  Piece piece;
  Segment segment;    ///< With its start on the common clock and its number among all files.
  bool timed = true;  ///< False when its distance from the part before is unknown.
  bool next_file = false;
  bool to_the_second = false;  ///< Its start is known to one second only.
};

struct Gap {
  std::int64_t before = 0;  ///< Frames in front of it.
  std::int64_t frames = 0;
  double milliseconds = 0;
  bool known = true;
};

bool has_times(const RecordingInfo& info) {
  return info.segments.size() < 2 || std::any_of(
                                         info.segments.begin(), info.segments.end(),
                                         [&](const Segment& segment) {
                                           return segment.start_s != info.segments.front().start_s;
                                         });
}

/// Where each file's clock starts on the first file's.
struct Clock {
  std::vector<Rational> offsets;
  bool known = true;  ///< False: each file follows the one before at once.
  bool to_the_second = false;
};

Clock common_clock(Sources sources) {
  Clock clock{std::vector<Rational>(sources.size(), Rational(0))};
  const auto later_starts_late = [](const auto& source) {
    const auto& segments = source->info().segments;
    return !segments.empty() && segments.front().start_s != Rational(0);
  };
  if (sources.size() < 2 || std::any_of(sources.begin() + 1, sources.end(), later_starts_late)) {
    return clock;
  }
  std::vector<Moment> moments;
  for (const auto& source : sources) {
    if (const auto moment = parse_moment(source->info().start_time)) {
      moments.push_back(*moment);
      clock.to_the_second = clock.to_the_second || moment->to_the_second;
    }
  }
  clock.known = moments.size() == sources.size();
  for (std::size_t i = 0; clock.known && i < sources.size(); ++i) {
    clock.offsets[i] = time_difference(moments[i].seconds, moments[0].seconds);
  }
  return clock;
}

std::vector<Part> list_parts(Sources sources) {
  const Clock clock = common_clock(sources);
  std::vector<Part> parts;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const RecordingInfo& info = sources[i]->info();
    const bool timed = has_times(info);
    Rational offset = clock.offsets[i];
    if (!clock.known && !parts.empty()) {
      const Segment& last = parts.back().segment;
      offset = time_sum(last.start_s, time_of(last.frames, info.rate));
    }
    for (std::size_t s = 0; s < info.segments.size(); ++s) {
      Part part;
      part.piece = {info.segments[s].frames, static_cast<std::int64_t>(i),
                    static_cast<std::int64_t>(s), 0};
      part.segment = info.segments[s];
      part.segment.start_s = time_sum(part.segment.start_s, offset);
      part.segment.index = sources.size() == 1 ? info.segments[s].index : std::ssize(parts);
      part.timed = s == 0 || timed;
      part.next_file = s == 0 && i > 0;
      part.to_the_second = part.next_file && clock.to_the_second;
      parts.push_back(part);
    }
  }
  return parts;
}

/// Appends parts to a timeline, judging the distance before each.
class TimelineMaker {
 public:
  TimelineMaker(Sources sources, const Read& read)
      : sources_(sources),
        read_(read),
        tolerance_(Rational(1, 2) / sources[0]->info().rate.exact()) {
    timeline_.rate = sources[0]->info().rate;
    if (read.gap_tolerance_ms) {
      tolerance_ = Rational::from_decimal(*read.gap_tolerance_ms) / Rational(1000);
    }
  }

  void add(const Part& part) {
    if (part.piece.frames == 0 && !timeline_.stretches.empty()) {
      return;
    }
    if (timeline_.stretches.empty() || frames_ == 0) {
      timeline_.stretches = {{part.segment, {part.piece}}};
    } else if (const auto gap = gap_before(part)) {
      gaps_.push_back(*gap);
      timeline_.timed = timeline_.timed && gap->known;
      if (read_.gaps == Gaps::fill && gap->known && gap->frames > 0) {
        append({gap->frames, Piece::kFilled, 0, 0});
        append(part.piece);
      } else {
        timeline_.stretches.push_back({part.segment, {part.piece}});
      }
    } else {
      append(part.piece);
    }
    frames_ += part.piece.frames;
    end_ = time_sum(part.segment.start_s, time_of(part.piece.frames, timeline_.rate));
  }

  Timeline finish(std::vector<std::string>& warnings) {
    const std::string& name = sources_[0]->info().name;
    const auto unfillable = [](const Gap& gap) { return !gap.known || gap.frames <= 0; };
    if (!gaps_.empty() && read_.gaps == Gaps::error) {
      throw Error(ErrorCode::invalid_spec,
                  fmt::format("gaps: {}; choose gaps = \"split\" or \"fill\"", list(name)));
    }
    if (read_.gaps == Gaps::fill && std::any_of(gaps_.begin(), gaps_.end(), unfillable)) {
      throw Error(ErrorCode::invalid_spec,
                  fmt::format("gaps: {}; an overlap or an unknown length cannot be filled, choose "
                              "gaps = \"split\"",
                              list(name)));
    }
    if (!gaps_.empty()) {
      warnings.push_back(fmt::format(
          "{}; {}", list(name),
          read_.gaps == Gaps::fill ? "filled with 0 physical units" : "split into segments"));
    }
    return std::move(timeline_);
  }

 private:
  void append(const Piece& piece) {
    Stretch& stretch = timeline_.stretches.back();
    stretch.pieces.push_back(piece);
    if (piece.frames > (std::int64_t{1} << 52) - stretch.segment.frames) {
      throw Error(ErrorCode::invalid_spec, "gaps: the recording with its gaps filled is too long");
    }
    stretch.segment.frames += piece.frames;
  }

  /// The gap between the last part and `part`, unless it is within the tolerance.
  std::optional<Gap> gap_before(const Part& part) const {
    if (!part.timed) {
      return Gap{frames_, 0, 0, false};
    }
    const Rational seconds = time_difference(part.segment.start_s, end_);
    const Rational tolerance = part.to_the_second ? std::max(tolerance_, Rational(1)) : tolerance_;
    const Rational size = seconds < Rational(0) ? time_difference(Rational(0), seconds) : seconds;
    if (size <= tolerance) {
      return std::nullopt;
    }
    const double milliseconds = seconds.to_double() * 1000;
    if (part.next_file && seconds < Rational(0)) {
      const auto file = static_cast<std::size_t>(part.piece.source);
      throw Error(
          ErrorCode::invalid_spec,
          fmt::format("join: {} starts {:.6g} ms before {} ends; list the files in the order "
                      "of time",
                      sources_[file]->info().name, -milliseconds, sources_[file - 1]->info().name));
    }
    return Gap{frames_, nearest_frames(seconds, timeline_.rate), milliseconds, true};
  }

  /// "rec.bin has 1 gap longer than 0.0167 ms: gap 0: 500 ms (15000 samples) before sample 30000".
  std::string list(const std::string& name) const {
    constexpr std::size_t kShown = 5;
    std::vector<std::string> items;
    for (std::size_t i = 0; i < std::min(gaps_.size(), kShown); ++i) {
      const Gap& gap = gaps_[i];
      items.push_back(fmt::format(
          "gap {}: {} before sample {}", i,
          gap.known ? fmt::format("{:.6g} ms ({} samples)", gap.milliseconds, gap.frames)
                    : std::string("of unknown length"),
          gap.before));
    }
    const std::string more =
        gaps_.size() > kShown ? fmt::format(" and {} more", gaps_.size() - kShown) : "";
    return fmt::format("{}{} has {} gap{} longer than {:.4g} ms: {}{}", name,
                       sources_.size() > 1 ? fmt::format(" + {} more", sources_.size() - 1) : "",
                       gaps_.size(), gaps_.size() == 1 ? "" : "s", tolerance_.to_double() * 1000,
                       fmt::join(items, ", "), more);
  }

  Sources sources_;
  const Read& read_;
  Rational tolerance_;
  Timeline timeline_;
  std::int64_t frames_ = 0;  ///< Stored frames appended.
  Rational end_{0};          ///< When the last part ended: drift between clocks does not add up.
  std::vector<Gap> gaps_;
};
}  // namespace

Timeline make_timeline(std::span<const std::unique_ptr<RecordingSource>> sources, const Read& read,
                       std::vector<std::string>& warnings) {
  TimelineMaker maker(sources, read);
  for (const auto& part : list_parts(sources)) {
    maker.add(part);
  }
  return maker.finish(warnings);
}

}  // namespace weir::pipeline
