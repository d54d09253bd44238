#include "weir/formats/replaced_output.h"

#include <fmt/format.h>

#include <algorithm>

#include "weir/core/text.h"
#include "weir/formats/writer.h"

namespace weir::formats {
namespace {
namespace fs = std::filesystem;
}

fs::path beside_output(const fs::path& path, std::string_view suffix) {
  fs::path result = path;
  for (fs::path store = path.parent_path(); store.has_relative_path();
       store = store.parent_path()) {
    if (ends_with_ignoring_case(store.string(), ".zarr")) {
      std::string inside = path.lexically_relative(store).string();
      std::replace(inside.begin(), inside.end(), '/', '.');
      result = store;
      result += fmt::format("{}-{}", suffix, inside);
      return result;
    }
  }
  result += suffix;
  return result;
}

Replacement replacement_of(const fs::path& path) {
  fs::path sidecar = path;
  sidecar += ".json";
  return {path, {sidecar, provenance_path(path)}, beside_output(path, ".weir-old")};
}

std::string mend_replacement(const fs::path& path) {
  const Replacement replacement = replacement_of(path);
  const ReplacementState state = state_of(replacement);
  if (state == ReplacementState::none) {
    return {};
  }
  if (state == ReplacementState::whole) {
    drop_aside(replacement);
    return fmt::format("{}: removed {}, which a replacement that was cut short had left",
                       path.string(), replacement.aside.string());
  }
  put_back(replacement);
  std::error_code failure;
  const fs::path partial = partial_path(path);
  return fmt::format("{}: a run was stopped while replacing it; its former content is put back{}",
                     path.string(),
                     fs::exists(partial, failure)
                         ? fmt::format(", and what that run had written is {}", partial.string())
                         : "");
}

}  // namespace weir::formats
