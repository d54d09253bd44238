#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "weir/op/step.h"

namespace weir::signal {

/// What is measured of each channel's physical values, NaN left out.
enum class Spread {
  sd,  ///< About the mean: the population standard deviation.
  mad  ///< About the median: median |x - median| / 0.6744897501960817.
};

/// Which values a fitter of spreads hands out, each an array of one a channel.
struct SpreadNames {
  std::string scale = "scale";
  std::string middle = {};  ///< The mean or median; none where empty.
};

/// The frames a `sample` fit of this stream can be handed at most.
std::int64_t sample_fit_frames(const StreamInfo& in);

/// Where a fitter may keep the frames it is handed.
struct FitPlace {
  std::size_t memory_bytes = 0;  ///< More than this many go to a temporary file, but for 4 MiB.
  std::filesystem::path folder;  ///< For that file.
};
/// Bytes a fitter of a sample writes to its temporary file; 0 when its memory suffices.
std::size_t sample_fit_temporary_bytes(const StreamInfo& in, std::size_t memory_bytes);
/// Bytes of memory it holds: all frames if they fit `memory_bytes`, else 4 MiB (more only from
/// 16,384 channels on).
std::size_t sample_fit_bytes(const StreamInfo& in, std::size_t memory_bytes);
/// Bytes each of its tasks (a channel) adds while it runs: 12 MiB at most.
std::size_t sample_fit_task_bytes(const StreamInfo& in);

/// Measures channels one by one, in physical units; null where a channel has no finite value.
std::unique_ptr<op::Fitter> make_spread_fitter(Spread spread, const StreamInfo& in,
                                               const FitPlace& place, SpreadNames names = {});

}  // namespace weir::signal
