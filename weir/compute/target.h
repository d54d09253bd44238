#pragma once

#include <string>

namespace weir::compute {

/// The widest instruction set the CPU kernels use on this machine, as it enters provenance and
/// checkpoints.
std::string cpu_description();

}  // namespace weir::compute
