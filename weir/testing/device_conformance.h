#pragma once

#include <string_view>

#include "weir/compute/device.h"
#include "weir/testing/conformance.h"

namespace weir::testing {

/// What the device kernels of `op` make of one recording: as `run_operator`, with every State
/// resident on `device`. Blocks have a stride and a first element of their own, so that a kernel
/// that assumes either fails. Errors: `unsupported` when the step stays on the CPU.
Outcome run_on_device(const op::Operator& op, const Value& params, const StreamInfo& stream,
                      const Samples& in, compute::Device& device, const Cuts& cuts = {});

/// Promise P3 for one operator: the device kernels agree with its CPU kernel within `relative` of
/// full scale on the host and through OpenCL, for 1, 37 and 384 channels and 0, 1 and an awkward
/// number of frames, and give the same bits for any cut on one target. Marks the test skipped with
/// the reason where OpenCL is missing (failed when WEIR_REQUIRE contains "opencl").
void check_device(const op::Operator& op, const Value& params, const StreamInfo& stream,
                  double relative);

}  // namespace weir::testing
