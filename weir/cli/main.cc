#include <csignal>
#include <string>
#include <vector>

#include "weir/cli/program.h"

int main(int count, char** words) {
  // A file over the limit of its size is an error of that write, as a full disk is, not an end
  // without a word.
  std::signal(SIGXFSZ, SIG_IGN);
  weir::cli::StandardTerminal terminal;
  return weir::cli::run_program(std::vector<std::string>(words + 1, words + count), terminal);
}
