#pragma once

namespace weir::cli {

/// While it lives, the first Ctrl-C (or SIGTERM) only asks to stop; the second ends the process as
/// usual. One at a time.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  /// Whether someone has asked to stop.
  static bool requested() noexcept;
};

}  // namespace weir::cli
