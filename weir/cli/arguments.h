#pragma once

#include <string>
#include <vector>

#include "weir/cli/command.h"
#include "weir/core/value.h"

namespace weir::cli {

/// The words after `weir <command>` as the object that the command's schema reads.
/// `--output-dir D`, `--output-dir=D` and `--output_dir D` are the same; a bool needs no value;
/// `--` ends the flags. Values become numbers, bools or lists as the field's type says.
/// Errors: `invalid_spec` with every problem: unknown flags (naming the nearest), missing values,
///         words too many, required arguments not given.
Value parse_arguments(const Command& command, const std::vector<std::string>& words);

/// `output_dir` as it is typed: "--output-dir".
std::string flag_of(const std::string& field);

}  // namespace weir::cli
