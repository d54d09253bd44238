#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>

#include "weir/testing/broken_promises.h"
#include "weir/testing/probe.h"
#include "weir/testing/required.h"

namespace weir::testing {
namespace {
/// The checks that go through `StepRun` would let a step that lies about its room write where it
/// should not: they run only when this returns true.
bool keeps_to_its_rooms(Probe& probe, Findings& findings) {
  const std::size_t before = findings.size();
  find_broken_rooms(probe, findings);
  if (findings.size() > before) {
    return false;
  }
  probe.whole = run_bound(probe.bound, probe.data.block());
  return true;
}

void find_in_probe(Probe probe, bool thorough, Findings& findings) {
  if (!keeps_to_its_rooms(probe, findings)) {
    return;
  }
  find_broken_cuts(probe, findings);
  find_broken_states(probe, findings);
  find_broken_memory(probe, findings);
  find_broken_events(probe, findings);
  if (thorough) {
    find_broken_reach(probe, findings);
    find_broken_settling(probe, findings);
    find_broken_targets(probe, findings);
  }
}

/// Segments of 0, 1 and 2 frames before one of ordinary length. Planning may refuse them, except
/// the empty one.
void find_broken_short_segments(const op::Operator& op, const Value& params,
                                const StreamInfo& stream, const ConformanceOptions& options,
                                Findings& findings) {
  for (const std::int64_t frames : {0, 1, 2}) {
    const auto shape =
        reshaped(stream, stream.channel_count(), {frames, options.frames / 2}, stream.type);
    try {
      Probe probe = make_probe(op, params, shape, options);
      if (keeps_to_its_rooms(probe, findings)) {
        find_broken_cuts(probe, findings);
      }
    } catch (const Error& error) {
      if (frames == 0 || error.code() != ErrorCode::invalid_spec) {
        findings.push_back(fmt::format("a segment of {} frames: {}", frames, error.text()));
      }
    }
  }
}

void find_in_shape(const op::Operator& op, const Value& params, const StreamInfo& shape, bool own,
                   const ConformanceOptions& options, Findings& findings) {
  try {
    find_in_probe(make_probe(op, params, shape, options), own, findings);
  } catch (const Error& error) {
    // An operator may refuse a shape its parameters do not fit, but not the one it was probed for.
    if (own || error.code() != ErrorCode::invalid_spec) {
      findings.push_back(fmt::format("{} channels of {}: {}", shape.channel_count(),
                                     name(shape.type), error.text()));
    }
  }
}
/// Shorter than the probes of the CPU kernel: the host runs device kernels item by item.
void find_on_devices(const op::Operator& op, const Value& params, const StreamInfo& stream,
                     const ConformanceOptions& options, Findings& findings) {
  for (const std::int64_t channels : {std::int64_t{1}, std::int64_t{37}, std::int64_t{384}}) {
    const std::int64_t longest = channels > 37 ? 131 : channels > 1 ? 300 : 700;
    const auto shape = reshaped(stream, channels, {0, 1, longest, 2}, stream.type);
    try {
      find_broken_devices(make_probe(op, params, shape, options), findings);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::invalid_spec) {
        findings.push_back(fmt::format("device kernels, {} channels: {}", channels, error.text()));
      }
    }
  }
}

}  // namespace

std::vector<std::string> broken_promises(const op::Operator& op, const Value& params,
                                         const StreamInfo& stream,
                                         const ConformanceOptions& options) {
  Findings findings;
  find_broken_schema(op, params, findings);
  if (!findings.empty()) {
    return findings;
  }
  std::set<SampleType> types{stream.type};
  if (options.int16_input) {
    types.insert(SampleType::int16);
  }
  for (const SampleType type : types) {
    const std::int64_t half = options.frames / 2;
    const auto shapes = std::array<std::int64_t, 4>{stream.channel_count(), 1, 37, 384};
    for (const std::int64_t& channels : shapes) {
      const bool own = &channels == &shapes.front();
      if (own || channels != stream.channel_count()) {
        find_in_shape(op, params, reshaped(stream, channels, {half, half}, type), own, options,
                      findings);
      }
      if (!findings.empty()) {
        return findings;
      }
    }
    const StreamInfo own = reshaped(stream, stream.channel_count(), {options.frames}, type);
    find_in_shape(op, params, own, true, options, findings);
    find_broken_short_segments(op, params, own, options, findings);
    find_on_devices(op, params, own, options, findings);
  }
  return findings;
}

void check_operator(const op::Operator& op, const Value& params, const StreamInfo& stream,
                    const ConformanceOptions& options) {
  for (const auto& text : broken_promises(op, params, stream, options)) {
    ADD_FAILURE() << op.name() << " " << to_json(params) << ": " << text;
  }
  if (!op.device().entries.empty()) {
    device_or_skip("opencl");
  }
}

}  // namespace weir::testing
