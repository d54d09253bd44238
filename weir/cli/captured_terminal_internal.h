#pragma once

#include <string>

#include "weir/cli/terminal.h"

namespace weir::cli {

/// A terminal of the tests: keeps what was printed.
class CapturedTerminal final : public Terminal {
 public:
  bool interactive() const noexcept override { return is_interactive; }
  void flush() override {}

  std::string output;
  std::string notes;
  bool is_interactive = false;

 protected:
  void put(std::string_view text) override { output += text; }
  void put_note(std::string_view text) override { notes += text; }
};

}  // namespace weir::cli
