#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "weir/core/progress.h"
#include "weir/pipeline/run/input_run.h"

namespace weir::pipeline {

/// Where the inputs of a run stand. Threads: the shares of a run tell it, one thread reads it.
class ProgressBoard {
 public:
  explicit ProgressBoard(const PlanData& data);

  /// Errors: `cancelled` once `stop` was called.
  void tick(std::size_t input, const InputRun::Moment& moment);
  void finished(std::size_t input);
  /// The next tick of every input throws.
  void stop();

  /// Of the input that runs or, where several run side by side, of all together.
  Progress progress() const;

  /// A share has come to its end.
  void leave();
  /// Waits until all have, for a tenth of a second at most.
  bool all_left(std::int64_t shares) const;

 private:
  struct Entry {
    std::string stage;
    double seconds_done = 0;
    double seconds_total = 0;
    std::int64_t blocks_done = 0;
    std::int64_t blocks = 0;
    bool finished = false;
  };
  Progress of_all() const;

  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::vector<Entry> entries_;
  std::size_t last_ = 0;  ///< The input that ticked last.
  std::int64_t bytes_read_ = 0;
  std::int64_t left_ = 0;
  bool side_by_side_;
  bool stopped_ = false;
};

}  // namespace weir::pipeline
