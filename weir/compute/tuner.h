#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "weir/compute/device.h"
#include "weir/compute/kernel_cache.h"

namespace weir::compute {

/// Chooses among ways of one piece of work that give the same bits, and of which one device is
/// faster with this and another with that. They are tried at the first use on a device; the choice
/// is kept with the compiled kernels, under the device, its driver and the text of the kernels.
/// WEIR_TUNE=0 takes the first way everywhere, WEIR_TUNE=2 the third: tests compare their bits.
/// Threads: all members may be called from several threads.
class Tuner {
 public:
  /// Seconds from any fixed moment on.
  using Clock = std::function<double()>;

  /// The user's. Devices that are the processor are not measured: nothing is to be had there, and
  /// other work would disturb it.
  static Tuner& of_user();
  /// For tests: measures every device, by `clock`.
  Tuner(KernelCache cache, Clock clock);

  /// The way that WEIR_TUNE names for everything.
  static std::optional<std::size_t> told();

  /// The way to go, below `ways`. `launch(way)` enqueues the work in `queue`, whole and over what
  /// an earlier way wrote. `text`: the kernels' own. `question`: what else the choice may depend
  /// on. Waits for the queue when it has to measure.
  std::size_t choose(const Target& target, Queue& queue, std::string_view text,
                     std::string_view question, std::size_t ways,
                     const std::function<void(std::size_t)>& launch);

 private:
  Tuner(KernelCache cache, Clock clock, bool measures_processors);
  std::size_t measure(Queue& queue, std::size_t ways,
                      const std::function<void(std::size_t)>& launch) const;

  KernelCache cache_;
  Clock clock_;
  bool measures_processors_;
  std::mutex mutex_;
  std::map<std::string, std::size_t> chosen_;  ///< By key.
};

}  // namespace weir::compute
