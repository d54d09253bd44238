#pragma once

#include <string_view>

#include "weir/compute/device.h"

namespace weir::testing {

/// Whether WEIR_REQUIRE, a comma list, contains `what`: a test that lacks it then fails instead of
/// being skipped.
bool is_required(std::string_view what);

/// The device called `name`, or null after marking the running test skipped (failed when
/// WEIR_REQUIRE contains the target's kind) with the reason.
std::shared_ptr<compute::Device> device_or_skip(std::string_view name);

}  // namespace weir::testing
