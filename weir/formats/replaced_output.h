#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "weir/core/replacement.h"

namespace weir::formats {

/// `<path><suffix>`; for what lies inside a store, beside the store:
/// `rec.zarr<suffix>-events.name`.
std::filesystem::path beside_output(const std::filesystem::path& path, std::string_view suffix);

/// Where an output's former content waits while it is replaced: the folder `<path>.weir-old`.
Replacement replacement_of(const std::filesystem::path& path);

/// What a run that was killed while it replaced `path` left is mended: the former content is put
/// back, or removed where the new one stands. Returns what there is to tell; empty for nothing.
/// Errors: `io`.
std::string mend_replacement(const std::filesystem::path& path);

}  // namespace weir::formats
