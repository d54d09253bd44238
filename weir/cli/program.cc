#include "weir/cli/program.h"

#include <fmt/format.h>

#include <exception>
#include <new>

#include "weir/cli/arguments.h"
#include "weir/cli/command_help.h"
#include "weir/cli/command_list.h"
#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/core/version.h"

namespace weir::cli {
namespace {
const Command& command_named(const std::string& word) {
  if (const Command* command = find_command(word)) {
    return *command;
  }
  std::vector<std::string> names;
  for (const Command* command : commands()) {
    names.push_back(command->name());
  }
  const auto nearest = nearest_word(word, names);
  throw Error(ErrorCode::invalid_spec,
              fmt::format("there is no command \"{}\"{}", word,
                          nearest ? fmt::format("; did you mean \"weir {}\"?", *nearest)
                                  : "; weir --help lists them"));
}

bool asks_for_help(const std::vector<std::string>& words) {
  for (const auto& word : words) {
    if (word == "--") {
      return false;
    }
    if (word == "--help" || word == "-h") {
      return true;
    }
  }
  return false;
}

void dispatch(const std::vector<std::string>& words, Terminal& terminal) {
  if (words.empty() || words[0] == "--help" || words[0] == "-h" ||
      (words[0] == "help" && words.size() == 1)) {
    terminal.print(program_help());
  } else if (words[0] == "--version") {
    terminal.line(fmt::format("weir {}", version()));
  } else if (words[0] == "help") {
    terminal.print(command_help(command_named(words[1])));
  } else {
    const Command& command = command_named(words[0]);
    const std::vector<std::string> rest(words.begin() + 1, words.end());
    if (asks_for_help(rest)) {
      terminal.print(command_help(command));
    } else {
      command.run(parse_arguments(command, rest), terminal);
    }
  }
  terminal.flush();
}

int report(ErrorCode code, std::string_view text, Terminal& terminal) {
  for (const auto& line : split(text, '\n')) {
    terminal.note(fmt::format("weir: {}\n", line));
  }
  return exit_code(code);
}
}  // namespace

int run_program(const std::vector<std::string>& words, Terminal& terminal) noexcept {
  try {
    dispatch(words, terminal);
    return terminal.exit_status();
  } catch (const Error& error) {
    return report(error.code(), error.text(), terminal);
  } catch (const std::bad_alloc&) {
    return report(ErrorCode::out_of_memory, "out of memory", terminal);
  } catch (const std::exception& error) {
    return report(ErrorCode::internal, fmt::format("internal error: {}", error.what()), terminal);
  }
}

}  // namespace weir::cli
