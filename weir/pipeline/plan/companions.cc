#include "weir/pipeline/plan/companions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/dense_writer.h"
#include "weir/formats/json.h"
#include "weir/formats/writer.h"

namespace weir::pipeline {
namespace {
namespace fs = std::filesystem;

bool is_file_with_sidecar(const PlannedOutput& output) {
  constexpr std::array<std::string_view, 2> kFolders{"zarr", "spikeinterface"};
  return output.snippets || (!output.events && output.format != nullptr &&
                             std::ranges::find(kFolders, output.format->name) == kFolders.end());
}

/// Whether a sidecar or a provenance of ours stands there. What cannot be read is another's.
bool is_ours(const fs::path& file) {
  constexpr std::array<std::string_view, 3> kKeys{"weir_raw", "weir_snippets", "weir_provenance"};
  try {
    const Value document = formats::parse_json(read_text_file(file.string()));
    return document.is_object() && std::ranges::any_of(kKeys, [&](std::string_view key) {
             return document.find(key) != nullptr;
           });
  } catch (const Error&) {
    return false;
  }
}
}  // namespace

std::vector<fs::path> companions_of(const PlannedOutput& output) {
  std::vector<fs::path> files;
  if (is_file_with_sidecar(output)) {
    files.push_back(formats::sidecar_path(output.path));
  }
  files.push_back(formats::provenance_path(output.path));
  if (output.snippets) {
    files.push_back(formats::snippet_table_path(output.path));
    files.push_back(formats::provenance_path(files.back()));
  }
  return files;
}

void check_companions(const PlannedOutput& output) {
  for (const auto& file : companions_of(output)) {
    std::error_code failure;
    if (output.overwrite() ||
        (output.snippets && file == formats::snippet_table_path(output.path)) ||
        !fs::exists(fs::symlink_status(file, failure)) || is_ours(file)) {
      continue;  // The table of snippets is an output of its own, checked as one.
    }
    throw Error(ErrorCode::output_exists,
                fmt::format("{}: exists, is not of weir, and would be replaced beside {}; pass "
                            "--overwrite to replace it",
                            file.string(), output.path.filename().string()));
  }
}

}  // namespace weir::pipeline
