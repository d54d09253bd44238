#pragma once

#include <string>
#include <vector>

#include "weir/cli/terminal.h"

namespace weir::cli {

/// The whole program: finds the command, runs it, turns an `Error` into lines "weir: …" and its
/// exit code.
int run_program(const std::vector<std::string>& words, Terminal& terminal) noexcept;

}  // namespace weir::cli
