#pragma once

#include <string_view>
#include <vector>

#include "weir/cli/command.h"

namespace weir::cli {

/// Every command of the source tree, by group and name.
const std::vector<const Command*>& commands();

/// Null when there is none of that name.
const Command* find_command(std::string_view name) noexcept;

}  // namespace weir::cli
