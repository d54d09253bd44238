#pragma once

#include <string>

namespace weir::compute {

/// Sixteen hexadecimal digits of the linker's build id of the program or library this code is part
/// of: a hash of its content, so another build is another version. "unknown" when it was linked
/// without one.
std::string build_id();

}  // namespace weir::compute
