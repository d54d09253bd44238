#pragma once

#include <string_view>

namespace weir {

/// The program's version, "0.1.0": the one of the CMake project.
std::string_view version() noexcept;

}  // namespace weir
