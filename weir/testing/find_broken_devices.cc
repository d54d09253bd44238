#include <fmt/format.h>

#include <limits>

#include "weir/op/device_step.h"
#include "weir/testing/device_conformance.h"
#include "weir/testing/probe.h"

namespace weir::testing {
namespace {

struct NamedCuts {
  const char* what;
  Cuts cuts;
};

std::vector<NamedCuts> every_cut() {
  return {{"blocks of 1, 97, 31 frames", {.frames = {1, 97, 31}}},
          {"aligned blocks of 127 frames", {.frames = {127}, .aligned = true}},
          {"blocks of 7 frames, states saved and loaded", {.frames = {7}, .reload_state = true}},
          {"groups of 32 channels in blocks of 61 frames", {.frames = {61}, .group_channels = 32}}};
}

/// PoCL compiles a kernel for each group size; what another device has shown is not shown again.
std::vector<NamedCuts> cuts_on_opencl() {
  return {{"blocks of 1, 97, 31 frames, states saved and loaded",
           {.frames = {1, 97, 31}, .reload_state = true}},
          {"aligned blocks of 97, 31 frames", {.frames = {97, 31}, .aligned = true}}};
}

/// One probe on one device.
class OnDevice {
 public:
  OnDevice(const Probe& probe, compute::Device& device, Findings& findings)
      : probe_(probe), device_(device), findings_(findings) {}

  void find() {
    DeviceCosts costs;
    const AnyBlock data = probe_.data.block();
    const Outcome whole = run_on_device(probe_.bound, data, device_, {}, &costs);
    compare(whole, run_bound(probe_.bound, data), "whole");
    const bool slow = device_.target().kind == compute::TargetKind::opencl;
    for (const auto& [what, cuts] : slow ? cuts_on_opencl() : every_cut()) {
      const auto text = difference(run_on_device(probe_.bound, data, device_, cuts, &costs), whole);
      if (!text.empty()) {
        report(fmt::format("the answer depends on the cut: {}: {}", what, text));
      }
    }
    compare(run_on_device(probe_.bound, data, device_, {.frames = {53}, .in_turns = true}),
            run_bound(probe_.bound, data), "in turns with the CPU");
    find_non_finite();
    if (costs.held_bytes > costs.claimed_bytes) {
      report(fmt::format("device_bytes: {} bytes were claimed, {} were held", costs.claimed_bytes,
                         costs.held_bytes));
    }
    if (costs.launches > kMostLaunches) {
      report(fmt::format("a call made {} launches, {} are allowed", costs.launches, kMostLaunches));
    }
  }

 private:
  void report(const std::string& text) {
    findings_.push_back(fmt::format("{}, on {}: {}", probe_.label, device_.target().name, text));
  }

  void compare(const Outcome& actual, const Outcome& expected, const std::string& what) {
    const op::PortKind kind = probe_.bound.step->ports().front().kind;
    if (kind != op::PortKind::events) {
      const double error = relative_error(actual.samples, expected.samples);
      if (!(error <= probe_.bound.step->tolerance())) {
        report(fmt::format("{}: off by {:.2e} of full scale, {:.2e} are allowed", what, error,
                           probe_.bound.step->tolerance()));
      }
    }
    if (kind != op::PortKind::signal) {
      Outcome found = actual;
      found.samples = expected.samples;  // Compared above: no two machines agree on a NaN's bits.
      if (const auto text = difference(found, expected); !text.empty()) {
        report(fmt::format("{}: {}", what, text));
      }
    }
  }

  void find_non_finite() {
    if (probe_.bound.in.type != SampleType::float32) {
      return;
    }
    Samples in = probe_.in;
    const auto spoil = [&](std::int64_t frame, std::int64_t channel, float value) {
      if (frame < in.frames) {
        in(frame, channel % in.channels) = value;
      }
    };
    spoil(0, 1, std::numeric_limits<float>::quiet_NaN());
    spoil(50, 2, std::numeric_limits<float>::infinity());
    spoil(120, 3, std::numeric_limits<float>::quiet_NaN());
    spoil(121, 4, -std::numeric_limits<float>::infinity());
    const Buffer data = formed(probe_.bound, probe_.stream, in);
    compare(run_on_device(probe_.bound, data.block(), device_, {.frames = {101}}),
            run_bound(probe_.bound, data.block()), "NaN and infinities");
  }

  const Probe& probe_;
  compute::Device& device_;
  Findings& findings_;
};

bool stays_on_cpu(const Probe& probe, compute::Device& device) {
  const auto queue = device.make_queue();
  const op::DevicePlace place{device, *queue, 1};
  return probe.bound.step->device(place, {0, 0, 0, probe.stream.channel_count()}) == nullptr;
}

}  // namespace

void find_broken_devices(const Probe& probe, Findings& findings) {
  const bool known = !probe.op.device().entries.empty();
  for (const char* target : {"host", "opencl", "cuda"}) {
    std::shared_ptr<compute::Device> device;
    try {
      device = compute::open_device(target);
    } catch (const Error&) {
      continue;  // check_operator says so
    }
    const bool stays = stays_on_cpu(probe, *device);
    if (stays == probe.bound.step->runs_on(device->target())) {
      findings.push_back(fmt::format("{}: runs_on says {}, but device gives {} on {}",
                                     probe.op.name(), !stays ? "no" : "yes",
                                     stays ? "nothing" : "a step", target));
    }
    if (stays) {
      return;
    }
    if (!known) {
      findings.push_back(fmt::format(
          "{}: has a device step, but the operator names no device kernels", probe.op.name()));
      return;
    }
    try {
      OnDevice(probe, *device, findings).find();
    } catch (const Error& error) {
      if (error.code() != ErrorCode::device) {
        throw;
      }
      // The other devices are still worth asking.
      findings.push_back(
          fmt::format("{}, on {}: {}", probe.label, device->target().name, error.text()));
    }
  }
}

}  // namespace weir::testing
