#pragma once

#include <cstdint>

#include "weir/compute/device.h"
#include "weir/testing/bound_step.h"

namespace weir::testing {

/// Launches that one call of a device step may make.
inline constexpr std::int64_t kMostLaunches = 8;

/// What a bound step's device kernels cost in the runs that were given it, beside what it claimed.
struct DeviceCosts {
  std::size_t held_bytes = 0;
  std::size_t claimed_bytes = 0;
  std::int64_t launches = 0;  ///< Of the call that made most.
};

/// Runs a bound step over every segment of `data` as `run_bound` does, with every State resident on
/// `device`. Blocks have a stride and a first element of their own and rooms have guards, so that a
/// kernel that assumes either or writes elsewhere fails.
/// Errors: `unsupported` when the step stays on the CPU; `internal` when it breaks its promises.
Outcome run_on_device(const BoundStep& bound, AnyBlock data, compute::Device& device,
                      const Cuts& cuts = {}, DeviceCosts* costs = nullptr);

}  // namespace weir::testing
