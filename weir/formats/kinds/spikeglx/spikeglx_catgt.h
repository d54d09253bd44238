#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "weir/formats/kinds/spikeglx/spikeglx_meta.h"

namespace weir::formats {

/// A gap between the files that CatGT joined: so many zeros stand for it in what it wrote.
struct CatgtGap {
  std::int64_t start = 0;   ///< The frame of the joined file where the zeros begin.
  std::int64_t zeros = 0;   ///< Range: at most `frames`.
  std::int64_t frames = 0;  ///< How long the gap was.
};

/// The gaps in a joined file of `frames` frames, in their order, as the log of the command that
/// made it (the header's `catGTCmdline0`) tells: a file called CatGT.log, or something_CatGT.log,
/// beside it or in the folder above. None where CatGT joined nothing; what cannot be known is told.
std::vector<CatgtGap> read_catgt_gaps(const SpikeglxMeta& meta, const std::filesystem::path& data,
                                      std::int64_t frames, std::vector<std::string>& warnings);

}  // namespace weir::formats
