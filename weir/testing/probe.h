#pragma once

#include <string>
#include <vector>

#include "weir/testing/bound_step.h"

namespace weir::testing {

/// One operator bound to one stream with data to try it on, and what it makes of them uncut.
struct Probe {
  const op::Operator& op;
  const Value& params;
  const ConformanceOptions& options;
  StreamInfo stream;
  Samples in;
  std::string label;  ///< "37 channels of float32"
  BoundStep bound;    ///< Fitted.
  Buffer data;
  Outcome whole;  ///< Set once the rooms are known to be safe.

  bool signal() const { return bound.step->ports().front().kind == op::PortKind::signal; }
  /// The frames of one segment.
  AnyBlock segment(std::size_t index) const;
  /// Input frames before a change that can already feel it.
  std::int64_t reach() const;
};

/// The sentences of `check_operator`: each names the promise that was broken, with the numbers.
using Findings = std::vector<std::string>;

/// `stream` with another number of channels (its own, repeated with new names), other segments and
/// type.
StreamInfo reshaped(const StreamInfo& stream, std::int64_t channels,
                    const std::vector<std::int64_t>& segment_frames, SampleType type);

/// Noise on a slow wave, on whole counts for integer streams; every segment has the same data, so
/// that equal segments must give equal results.
Samples probe_samples(const StreamInfo& stream);

/// What an operator's events input is given; nothing where it takes none.
std::optional<GivenEvents> events_for(const op::Operator& op, const StreamInfo& stream,
                                      const ConformanceOptions& options);

/// Binds and fits. Errors: what planning throws.
Probe make_probe(const op::Operator& op, const Value& params, const StreamInfo& stream,
                 const ConformanceOptions& options);

/// What differs first between two outcomes; empty when every bit agrees. Counters included.
std::string difference(const Outcome& actual, const Outcome& expected);

/// Largest difference over the largest finite magnitude expected. Infinite when the shapes differ
/// or one has a NaN or an infinity that the other has not.
double relative_error(const Samples& actual, const Samples& expected);

void find_broken_schema(const op::Operator& op, const Value& params, Findings& findings);
void find_broken_rooms(const Probe& probe, Findings& findings);    // guards, ports' lengths, finish
void find_broken_cuts(const Probe& probe, Findings& findings);     // cuts, groups, reloading
void find_broken_states(const Probe& probe, Findings& findings);   // start twice, segments, order
void find_broken_reach(const Probe& probe, Findings& findings);    // NaN, infinity, latency
void find_broken_memory(const Probe& probe, Findings& findings);   // state_bytes, unwritten memory
void find_broken_targets(const Probe& probe, Findings& findings);  // instruction sets
void find_broken_devices(const Probe& probe, Findings& findings);  // device kernels
void find_broken_events(const Probe& probe, Findings& findings);   // the events input
void find_broken_settling(const Probe& probe, Findings& findings);  // settle_frames

}  // namespace weir::testing
