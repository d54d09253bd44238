#include <string>
#include <vector>

#include "weir/cli/program.h"

int main(int count, char** words) {
  weir::cli::StandardTerminal terminal;
  return weir::cli::run_program(std::vector<std::string>(words + 1, words + count), terminal);
}
