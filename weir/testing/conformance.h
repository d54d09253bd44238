#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "weir/op/operator.h"
#include "weir/testing/given_events.h"
#include "weir/testing/samples.h"

namespace weir::testing {

/// What one operator made of one recording.
struct Outcome {
  Samples
      samples;  ///< The signal port, all segments one after the other; empty for event operators.
  EventList events;
  std::vector<op::Counter> counters;
};

/// How to cut the work; the result must not depend on it.
struct Cuts {
  std::vector<std::int64_t> frames =
      {};  ///< Lengths of successive pushes, repeated; empty for the whole segment at once.
  std::int64_t group_channels =
      0;  ///< Channels a State serves (a multiple of `kLanePadding`); 0 for all.
  bool reload_state = false;  ///< Save and load every State between pushes.
  bool in_turns = false;      ///< On a device: every second block on the CPU.
  /// On a device: first elements and strides are multiples of 32, which kernels may make use of.
  bool aligned = false;
};

/// Runs `op` as the executor would: input form applied (int16 kept, shifted or widened), sample fit
/// done on the whole input, each segment started and finished. Shape: `in` is [total frames of
/// stream, channels] in counts.
Outcome run_operator(const op::Operator& op, const Value& params, const StreamInfo& stream,
                     const Samples& in, const Cuts& cuts = {},
                     const std::optional<GivenEvents>& events = std::nullopt);

struct ConformanceOptions {
  double relative =
      1e-6;  ///< Against the host build of the device kernel and other targets, of full scale.
  std::int64_t frames = 3000;  ///< Length of the longest probe.
  bool int16_input = false;    ///< Probe with an int16 stream as well.
  bool with_events = false;    ///< Give events to an operator that may take them.
  bool events_known = false;   ///< As a table of them, known in planning.
};

/// The promises of architecture.md section 1 that one operator can break alone: random cuts (1,
/// primes, longer than the whole), channel groups and reloaded states equal the whole bit for bit;
/// `start` twice equals once; 0, 1 and 2 frames; 1, 37 and 384 channels; misaligned blocks; NaN and
/// Inf reach only their own channel (or row, for cross-channel steps) and only later frames than
/// they stand at minus `latency().steady`; `max_output`, declared latency, ports' lengths and
/// `state_bytes` are true; params survive canonical form; each numeric limit of the schema is
/// refused by name; every instruction set agrees. Where the step has device kernels, the same of
/// them on the host and through OpenCL: any cut, group and reloading gives the same bits, the CPU
/// agrees within `Step::tolerance` and may go on from any State, `device_bytes`, `max_output` and
/// `max_events` are true, and a call makes at most `kMostLaunches`. An operator that takes events
/// is given the same in every cut, each as late as planned, and may answer later for a longer lag,
/// but not otherwise. Marks the test skipped with the reason where OpenCL is missing (failed when
/// WEIR_REQUIRE contains "opencl").
void check_operator(const op::Operator& op, const Value& params, const StreamInfo& stream,
                    const ConformanceOptions& options = {});

/// `body` throws `Error` with this code and a text containing `part`.
void expect_error(ErrorCode code, const std::string& part, const std::function<void()>& body);

}  // namespace weir::testing
