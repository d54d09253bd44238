#include "weir/cli/watch.h"

#include <chrono>

namespace weir::cli {
namespace {
double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

constexpr double kPause = 0.1;  // seconds that a person needs to read a line
}  // namespace

Watch::Watch(Terminal& terminal) : line_(terminal, &seconds_now) {}

bool Watch::goes_on(const Progress& progress) {
  if (Interrupt::requested()) {
    line_.stopping();
    return false;
  }
  const double now = seconds_now();
  if (now >= next_s_) {
    line_.show(progress);
    next_s_ = now + kPause;
  }
  return true;
}

}  // namespace weir::cli
