#include "weir/cli/terminal.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "weir/core/error.h"
#include "weir/core/text.h"

namespace weir::cli {
namespace {
constexpr std::string_view kLayout = "\n\t";
}

void Terminal::print(std::string_view text) {
  put(printable(text, kLayout));
}

void Terminal::note(std::string_view text) {
  put_note(printable(text, kLayout));
}

void Terminal::warn(std::string_view text) {
  note("weir: warning: " + printable(text) + '\n');
}

void StandardTerminal::put(std::string_view text) {
  lost_ |= std::fwrite(text.data(), 1, text.size(), stdout) != text.size();
}

void StandardTerminal::put_note(std::string_view text) {
  std::fflush(stdout);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

bool StandardTerminal::interactive() const noexcept {
  return isatty(STDERR_FILENO) != 0;
}

void StandardTerminal::flush() {
  if (std::fflush(stdout) != 0 || lost_) {
    throw_errno("standard output", "cannot write");
  }
}

}  // namespace weir::cli
