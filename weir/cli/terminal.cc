#include "weir/cli/terminal.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "weir/core/error.h"

namespace weir::cli {

void StandardTerminal::print(std::string_view text) {
  lost_ |= std::fwrite(text.data(), 1, text.size(), stdout) != text.size();
}

void StandardTerminal::note(std::string_view text) {
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
