#pragma once

#include <string>
#include <vector>

#include "weir/cli/command.h"

namespace weir::cli {

/// What `weir --help` prints.
std::string program_help();

/// What `weir <command> --help` prints, made from the command's fields.
std::string command_help(const Command& command);

/// Fields as lines "  name   type, unit, limits, default   what it is", for operators and
/// commands alike.
std::string field_lines(const std::vector<op::FieldInfo>& fields);

/// `text` broken at spaces into lines of at most `width` letters, each after the first led by
/// `indent` spaces.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent);

}  // namespace weir::cli
