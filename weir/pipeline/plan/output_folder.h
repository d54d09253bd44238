#pragma once

#include <filesystem>

#include "weir/pipeline/spec/spec.h"

namespace weir::pipeline {

/// The spec with every output in `folder`, by the last part of its path; what lies inside a store
/// (`rec.zarr/events/name`) by the store's name and what follows. Templates stay, and the paths are
/// absolute: the provenance then says where the data truly went.
Spec written_into(Spec spec, const std::filesystem::path& folder);

}  // namespace weir::pipeline
