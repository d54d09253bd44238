#include "weir/formats/writer.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <string_view>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/replaced_output.h"

namespace weir::formats {
namespace {
namespace fs = std::filesystem;

fs::path with_suffix(const fs::path& path, std::string_view suffix) {
  fs::path result = path;
  result += suffix;
  return result;
}

void rename_or_throw(const fs::path& from, const fs::path& to) {
  if (std::rename(from.c_str(), to.c_str()) != 0) {
    throw_errno(to.string(), "cannot rename into place");
  }
}
}  // namespace

fs::path partial_path(const fs::path& path) {
  return beside_output(path, ".weir-partial");
}

fs::path provenance_path(const fs::path& path) {
  return with_suffix(path, ".weir.json");
}

/// Whether a folder may be replaced: it is empty, a Zarr store or a SpikeInterface folder, or its
/// provenance stands beside it.
static bool is_store(const fs::path& folder) {
  constexpr std::array<std::string_view, 6> kMarks{"zarr.json", ".zgroup",     ".zarray",
                                                   ".zattrs",   "binary.json", "si_folder.json"};
  std::error_code failure;
  return fs::is_empty(folder, failure) || fs::exists(provenance_path(folder), failure) ||
         std::ranges::any_of(kMarks, [&](std::string_view mark) {
           std::error_code ignored;
           return fs::exists(folder / mark, ignored);
         });
}

void check_output(const fs::path& path, bool overwrite) {
  std::error_code failure;
  const bool exists = fs::exists(fs::symlink_status(path, failure));
  if (failure && failure != std::errc::no_such_file_or_directory &&
      failure != std::errc::not_a_directory) {
    throw Error(ErrorCode::io,
                fmt::format("{}: cannot look: {}", path.string(), failure.message()));
  }
  if (exists && !overwrite) {
    throw Error(ErrorCode::output_exists,
                fmt::format("{}: exists; pass --overwrite to replace it", path.string()));
  }
  if (exists && fs::is_directory(path, failure) && !is_store(path)) {
    throw Error(ErrorCode::output_exists,
                fmt::format("{}: is a folder that weir did not write; move it away or write "
                            "elsewhere",
                            path.string()));
  }
  if (!overwrite && state_of(replacement_of(path)) == ReplacementState::torn) {
    throw Error(
        ErrorCode::output_exists,
        fmt::format("{}: a run was stopped while replacing it and its former content is {}; "
                    "weir run puts it back, with --overwrite to replace it after all",
                    path.string(), replacement_of(path).former().string()));
  }
  // Missing folders are made when the run starts; the nearest existing one must be writable.
  fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  while (!fs::exists(folder, failure) && folder.has_parent_path() &&
         folder != folder.parent_path()) {
    folder = folder.parent_path();
  }
  if (folder.empty() || !fs::exists(folder, failure)) {
    folder = ".";
  }
  if (!fs::is_directory(folder, failure)) {
    throw Error(ErrorCode::io,
                fmt::format("{}: {} is not a folder", path.string(), folder.string()));
  }
  if (::access(folder.c_str(), W_OK | X_OK) != 0) {
    throw Error(ErrorCode::io, fmt::format("{}: cannot write in {}: {}", path.string(),
                                           folder.string(), errno_text(errno)));
  }
}

void commit_partial(const fs::path& path, const fs::path& sidecar_path, const std::string& sidecar,
                    const std::string& provenance, bool overwrite) {
  std::error_code failure;
  const bool exists = fs::exists(fs::symlink_status(path, failure));
  if (exists && !overwrite) {
    throw Error(
        ErrorCode::output_exists,
        fmt::format("{}: appeared during the run; pass --overwrite to replace it", path.string()));
  }
  const Replacement replacement = replacement_of(path);
  if (exists) {
    // The data's presence means done, so the old data goes before its sidecar is replaced.
    set_aside(replacement);
  }
  try {
    if (!sidecar.empty()) {
      write_text_file(sidecar_path.string(), sidecar);
    }
    if (!provenance.empty()) {
      write_text_file(provenance_path(path).string(), provenance);
    }
    rename_or_throw(partial_path(path), path);
  } catch (...) {
    if (exists) {
      put_back(replacement);
    }
    throw;
  }
  if (state_of(replacement) != ReplacementState::none) {
    drop_aside(replacement);
  }
}

}  // namespace weir::formats
