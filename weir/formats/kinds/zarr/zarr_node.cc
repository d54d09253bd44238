#include "weir/formats/kinds/zarr/zarr_node.h"

#include <fmt/format.h>

#include <algorithm>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/input_file.h"
#include "weir/formats/json.h"

namespace weir::formats {
namespace {
namespace fs = std::filesystem;
constexpr int kDeepest = 6;

Value read_document(const fs::path& file, int version) {
  return in_context(file.string(), [&] {
    Value document = parse_json(read_text_file(file.string()));
    const Value* found = document.find("zarr_format");
    if (found == nullptr || *found != Value(version)) {
      throw Error(found == nullptr ? ErrorCode::corrupt_data : ErrorCode::unsupported,
                  found == nullptr
                      ? "zarr_format: missing"
                      : fmt::format("zarr_format: {} is not read; 2 and 3 are", to_json(*found)));
    }
    return document;
  });
}

ZarrNode read_version_2(const fs::path& folder) {
  ZarrNode node;
  node.version = 2;
  node.array = stands_at(folder / ".zarray");
  node.file = folder / (node.array ? ".zarray" : ".zgroup");
  node.document = read_document(node.file, 2);
  if (const auto attributes = folder / ".zattrs"; stands_at(attributes)) {
    node.attributes = in_context(attributes.string(),
                                 [&] { return parse_json(read_text_file(attributes.string())); });
  }
  return node;
}

void list_arrays(const fs::path& folder, const std::string& prefix, int depth, std::size_t most,
                 std::vector<std::string>& found) {
  std::error_code failure;
  std::vector<std::string> names;
  for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end;
       entry.increment(failure)) {
    if (entry->is_directory(failure) && is_zarr_node(entry->path())) {
      names.push_back(entry->path().filename().string());
    }
  }
  std::sort(names.begin(), names.end());
  for (const auto& name : names) {
    if (found.size() >= most) {
      return;
    }
    try {
      if (read_zarr_node(folder / name).array) {
        found.push_back(prefix + name);
      } else if (depth < kDeepest) {
        list_arrays(folder / name, prefix + name + "/", depth + 1, most, found);
      }
    } catch (const Error&) {
      continue;  // A damaged member: opening it by name says what is wrong.
    }
  }
}
}  // namespace

bool is_zarr_node(const fs::path& folder) {
  std::error_code failure;
  return fs::is_regular_file(folder / "zarr.json", failure) ||
         fs::is_regular_file(folder / ".zgroup", failure) ||
         fs::is_regular_file(folder / ".zarray", failure);
}

ZarrNode read_zarr_node(const fs::path& folder) {
  if (!stands_at(folder / "zarr.json") &&
      (stands_at(folder / ".zarray") || stands_at(folder / ".zgroup"))) {
    return read_version_2(folder);
  }
  ZarrNode node;
  node.file = folder / "zarr.json";
  node.document = read_document(node.file, 3);
  const Value* type = node.document.find("node_type");
  node.array = type != nullptr && *type == Value("array");
  if (const Value* attributes = node.document.find("attributes")) {
    node.attributes = *attributes;
  }
  return node;
}

std::vector<std::string> list_zarr_arrays(const fs::path& group, std::size_t most) {
  std::vector<std::string> found;
  list_arrays(group, "", 0, most, found);
  return found;
}

fs::path path_inside(const fs::path& group, const std::string& name) {
  const fs::path path(name);
  const bool leaves =
      path.is_absolute() ||
      std::any_of(path.begin(), path.end(), [](const auto& p) { return p == ".." || p == "."; });
  if (name.empty() || leaves || name.find('\0') != std::string::npos) {
    throw Error(ErrorCode::invalid_spec, fmt::format("stream: \"{}\" is no array inside {}",
                                                     printable(name), group.string()));
  }
  return group / path;
}

}  // namespace weir::formats
