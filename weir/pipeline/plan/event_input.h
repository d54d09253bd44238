#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "weir/core/event.h"
#include "weir/core/stream.h"

namespace weir::pipeline {

struct Graph;

/// Samples of one segment of a stream to samples of another stream's segment: the nearest on the
/// recording's clock, halves to even, exactly.
class SampleMap {
 public:
  /// Errors: `invalid_spec` when the two clocks have no common one that fits into 64 bits.
  SampleMap(const Segment& from, const SampleRate& from_rate, const Segment& to,
            const SampleRate& to_rate);
  bool same() const noexcept { return same_; }
  std::int64_t operator()(std::int64_t sample) const noexcept;
  /// The event in samples of the other segment, within its frames.
  Event operator()(const Event& event) const noexcept;

 private:
  bool same_ = true;
  std::int64_t frames_ = 0;  ///< Of the segment mapped to.
  // (shift + step * sample) / divisor
  std::int64_t shift_ = 0;
  std::int64_t step_ = 1;
  std::int64_t divisor_ = 1;
};

/// Events known beforehand, in samples of the stream they are used with, by segment.
struct KnownEvents {
  std::string node;               ///< Of the spec.
  std::vector<Channel> channels;  ///< Lines or labels.
  std::vector<EventList> segments;

  std::size_t bytes() const noexcept;
};

/// Stands for a detector that runs outside of a graph.
inline constexpr std::int64_t kElsewhere = -2;

/// The events input of a graph node: from another node, or known beforehand.
struct EventsLink {
  std::int64_t node = -1;  ///< That finds them; before this one in the graph, or `kElsewhere`.
  std::shared_ptr<const KnownEvents> known = nullptr;
  StreamInfo found_in = {};  ///< Whose samples they count, where a node finds them.
  /// Frames of this node's input behind an event's final sample that are given with it.
  std::int64_t lag_frames = 0;
};

/// Whether the samples of one stream can be told in those of the other, segment by segment.
/// Errors: `invalid_spec` naming the segment.
void check_clocks(const StreamInfo& from, const StreamInfo& to);

/// The lag of events from `detector` in a node below `parent` (or the reader): when the first has
/// been given all that was read, how far may its events lie behind the other's rows? Holds for any
/// cut and in the tails. Errors: `invalid_spec` when it does not fit.
std::int64_t events_lag(const Graph& graph, std::int64_t parent, std::int64_t detector);

}  // namespace weir::pipeline
