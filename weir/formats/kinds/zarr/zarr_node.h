#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "weir/core/value.h"

namespace weir::formats {

/// A group or an array of a store on disk.
struct ZarrNode {
  int version = 3;
  bool array = false;
  std::filesystem::path file;  ///< The document, for messages.
  Value document;              ///< zarr.json, .zarray or .zgroup.
  Value attributes = Value::object();
};

/// Whether a folder is one.
bool is_zarr_node(const std::filesystem::path& folder);
/// Errors: `not_found`, `corrupt_data` naming the file, `unsupported` for other versions.
ZarrNode read_zarr_node(const std::filesystem::path& folder);

/// The arrays below a group, "b" and "a/b", in order; at most `most`.
std::vector<std::string> list_zarr_arrays(const std::filesystem::path& group, std::size_t most);

/// `name` inside of `group`. Errors: `invalid_spec` for a name that leads out of it.
std::filesystem::path path_inside(const std::filesystem::path& group, const std::string& name);

}  // namespace weir::formats
