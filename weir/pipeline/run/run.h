#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "weir/core/progress.h"
#include "weir/core/value.h"
#include "weir/pipeline/plan/plan.h"

namespace weir::pipeline {

struct OutputReport {
  std::string node;
  std::filesystem::path path;
  std::filesystem::path provenance;
  std::int64_t frames = 0;
  std::int64_t channels = 0;
  Axis axis = Axis::time_s;
  double rate_hz = 0;
  std::int64_t events = 0;
  bool is_table = false;  ///< Events, even if there are none.
  bool snippets = false;  ///< With a snippet for each.
  std::int64_t bytes_written = 0;
  std::int64_t bytes_downloaded = 0;  ///< From a device.
  std::int64_t clipped = 0;
  std::int64_t rounded = 0;  ///< Stored counts that were no whole numbers of 24 bits.
  double write_s = 0;        ///< Seconds spent encoding and writing, beside the computing.
};

/// What a run did. Shared costs appear once.
struct Report {
  std::string target;
  std::int64_t threads = 0;
  std::int64_t blocks = 0;
  std::int64_t bytes_read = 0;
  std::int64_t bytes_uploaded = 0;  ///< To a device.
  double seconds = 0;
  double fit_s = 0;
  double read_wait_s = 0;  ///< Computing waited for the reader.
  double compute_s = 0;
  double kernels_s = 0;      ///< Until the device's kernels were ready.
  double device_wait_s = 0;  ///< Part of `compute_s`: the host waited for the device.
  double write_wait_s = 0;   ///< Computing waited for a writer.
  double recording_s = 0;
  bool resumed = false;
  /// Inputs whose outputs an earlier run of the same had finished; nothing was done for them.
  std::vector<std::string> already_complete;
  std::vector<std::string> warnings;
  std::vector<OutputReport> outputs;

  std::string text() const;
  Value json() const;
};

/// Runs a plan. `observe` is called on this thread; returning false cancels.
/// Errors: `cancelled`; `io`; `corrupt_data`; all outputs of an unfinished input are removed (or,
/// with `resume`, left as a
///         checkpoint).
Report run(const Plan& plan, const Observer& observe = nullptr);

}  // namespace weir::pipeline
