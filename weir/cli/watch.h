#pragma once

#include "weir/cli/interrupt.h"
#include "weir/cli/progress_line.h"

namespace weir::cli {

/// While something long runs: its progress is shown and Ctrl-C is heeded. One at a time.
class Watch {
 public:
  explicit Watch(Terminal& terminal);
  /// Shows the progress; false after Ctrl-C, which is told of.
  bool goes_on(const Progress& progress);

 private:
  Interrupt interrupt_;
  ProgressLine line_;
  double next_s_ = 0;
};

}  // namespace weir::cli
