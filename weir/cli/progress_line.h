#pragma once

#include <functional>
#include <string>

#include "weir/cli/terminal.h"
#include "weir/core/progress.h"

namespace weir::cli {

/// Tells a person how a run goes: on a screen one line that is rewritten, elsewhere a line a
/// minute. The line is wiped when this dies.
class ProgressLine {
 public:
  /// `clock`: seconds from any beginning.
  ProgressLine(Terminal& terminal, std::function<double()> clock);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const Progress& progress);
  /// The run has been asked to stop.
  void stopping();

 private:
  std::string text(const Progress& progress, double now);

  Terminal& terminal_;
  std::function<double()> clock_;
  double next_line_;
  Progress began_;  ///< As it stood when this stage of this input began; rates count from there.
  double began_at_ = 0;
  bool drawn_ = false;
};

}  // namespace weir::cli
