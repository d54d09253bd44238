#pragma once

#include <vector>

#include "weir/compute/kernel_source.h"

namespace weir::testing {

/// Every kernel file of the tree, as the build found them.
std::vector<const compute::KernelSource*> all_kernels();

}  // namespace weir::testing
