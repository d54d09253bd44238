#pragma once

#include <string>
#include <vector>

#include "weir/testing/conformance.h"

namespace weir::testing {

/// What `check_operator` fails with: one sentence for each promise that `op` breaks, with the
/// numbers; empty for a good operator. Stops after the first shape of stream that shows a fault.
std::vector<std::string> broken_promises(const op::Operator& op, const Value& params,
                                         const StreamInfo& stream,
                                         const ConformanceOptions& options = {});

}  // namespace weir::testing
