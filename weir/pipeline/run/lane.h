#pragma once

#include <atomic>
#include <cstdint>

namespace weir::pipeline {

/// Lets tiles pass one at a time, in their order: what is done between `enter` and `leave` of one
/// tile comes before what is done by the next, whichever threads carry them.
class Lane {
 public:
  void reset() noexcept { turn_.store(0, std::memory_order_relaxed); }
  /// Waits for `tile`'s turn. False when `failed` came true first: the turn may never come.
  bool enter(std::int64_t tile, const std::atomic<bool>& failed) const;
  void leave(std::int64_t tile) noexcept { turn_.store(tile + 1, std::memory_order_release); }

 private:
  // One cache line each: neighbours are waited for by other threads.
  alignas(64) std::atomic<std::int64_t> turn_{0};
};

}  // namespace weir::pipeline
