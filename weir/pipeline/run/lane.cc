#include "weir/pipeline/run/lane.h"

#include <chrono>
#include <thread>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace weir::pipeline {
namespace {
/// Waits are mostly shorter than a system call; on a machine with fewer free cores than threads
/// the one waited for must get to run.
constexpr int kSpins = 2000;
constexpr int kYields = 200;
constexpr std::chrono::microseconds kNap{50};

void pause() noexcept {
#if defined(__x86_64__)
  _mm_pause();
#endif
}
}  // namespace

bool Lane::enter(std::int64_t tile, const std::atomic<bool>& failed) const {
  for (int tries = 0; turn_.load(std::memory_order_acquire) != tile; ++tries) {
    if (failed.load(std::memory_order_relaxed)) {
      return false;
    }
    if (tries < kSpins) {
      pause();
    } else if (tries < kSpins + kYields) {
      std::this_thread::yield();
    } else {
      std::this_thread::sleep_for(kNap);
    }
  }
  return true;
}

}  // namespace weir::pipeline
