#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <vector>

#include "weir/core/channel.h"
#include "weir/core/probe_document.h"

namespace weir::formats {

/// The wired contacts of a file by channel: a probeinterface JSON, or a .prb of klusta and
/// SpyKING CIRCUS, whose groups are shanks.
/// Errors: `not_found`, `io`; `corrupt_data` naming the file and what is wrong with it.
/// Source: probeinterface's schema; the klusta documentation ("PRB file").
std::map<std::int64_t, ProbeContact> read_probe_file(const std::filesystem::path& path);

/// Gives each channel the position and group of the contact wired to its place in `channels`.
/// Errors: `invalid_spec` with both counts, where a contact has no channel, or an electrical
/// channel (all channels where none is) no contact.
void attach_probe(const std::map<std::int64_t, ProbeContact>& contacts,
                  std::vector<Channel>& channels);

}  // namespace weir::formats
