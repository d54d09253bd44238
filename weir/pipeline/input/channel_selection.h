#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "weir/core/channel.h"
#include "weir/core/value.h"

namespace weir::pipeline {

/// Refuses what is no channel selection, whatever the channels are. A selection is "all"; an index,
/// a name, a range "0:96" or "0:384:4" (first, end, step); a list of those; or an object with
/// `group` (a name or several) and `not` (a selection).
/// Errors: `invalid_spec`, without the field's name.
void check_selection(const Value& selection);

/// The selection in its one spelling: a list, "all", or an object.
Value canonical_selection(const Value& selection);

/// The indices a selection picks, in the order asked for; those of a group in the stream's order.
/// `whose` names file or stream in errors.
/// Errors: `invalid_spec` for an index or range past the end, a name that several channels have
///         (listing them), a channel picked twice, an empty pick; `not_found` for an unknown name
///         or group. Each starts with "channels: ".
std::vector<std::int64_t> select_channels(const Value& selection,
                                          const std::vector<Channel>& channels,
                                          std::string_view whose);

}  // namespace weir::pipeline
