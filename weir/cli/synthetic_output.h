#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "weir/core/progress.h"
#include "weir/signal/generate/generate.h"

namespace weir::cli {

/// Where a synthetic recording goes.
struct SyntheticOutput {
  std::filesystem::path data;
  std::filesystem::path truth;  ///< Written where something happens; beside the data if empty.
  bool overwrite = false;
  std::string provenance;
};

/// Writes the recording, and before it is committed what truly happened in it.
/// Errors: `io` before the first byte when it cannot fit, naming both sizes; `output_exists`;
/// `cancelled` when `observe` says so. Nothing is left behind then.
std::vector<signal::TruthEvent> write_synthetic(const signal::SyntheticRecording& recording,
                                                const SyntheticOutput& output,
                                                const Observer& observe);

/// `output.truth`, or `<data>.truth.csv`.
std::filesystem::path truth_path(const SyntheticOutput& output);

}  // namespace weir::cli
