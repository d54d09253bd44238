#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "weir/core/channel.h"

namespace weir::cli {

/// The channels that `words` picks ("all", "0:16", "AP3,AP7", "0,5"), or at most 24 spread evenly
/// when it is empty. Errors: as `pipeline::select_channels`.
std::vector<std::int64_t> picked_channels(const std::string& words,
                                          const std::vector<Channel>& channels,
                                          std::string_view whose);

}  // namespace weir::cli
