#include "weir/pipeline/plan/output_folder.h"

#include "weir/core/text.h"

namespace weir::pipeline {
namespace {
namespace fs = std::filesystem;

fs::path own_name(const fs::path& path) {
  fs::path name;
  bool inside_store = false;
  for (const auto& part : path.lexically_normal()) {
    if (part.empty()) {
      continue;  // A slash at the end.
    }
    name = inside_store ? name / part : part;
    inside_store = inside_store || ends_with_ignoring_case(part.string(), ".zarr");
  }
  return name;
}
}  // namespace

Spec written_into(Spec spec, const fs::path& folder) {
  const fs::path whole = fs::absolute(folder).lexically_normal();
  for (auto& node : spec.nodes) {
    if (node.op == "write") {
      node.params.set("path", (whole / own_name(node.params.at("path").as_string())).string());
    }
  }
  return spec;
}

}  // namespace weir::pipeline
