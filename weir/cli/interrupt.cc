#include "weir/cli/interrupt.h"

#include <csignal>

namespace weir::cli {
namespace {
volatile std::sig_atomic_t stop_requested = 0;

void restore() noexcept {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

extern "C" void request_stop(int) {
  stop_requested = 1;
  restore();
}
}  // namespace

Interrupt::Interrupt() {
  stop_requested = 0;
  struct sigaction action{};
  action.sa_handler = &request_stop;
  action.sa_flags = SA_RESTART;  // reads and writes go on; the run stops at its next block
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

Interrupt::~Interrupt() {
  restore();
}

bool Interrupt::requested() noexcept {
  return stop_requested != 0;
}

}  // namespace weir::cli
