#include "weir/formats/kinds/open_ephys/open_ephys_folder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "weir/core/error.h"

namespace weir::formats {
namespace {
namespace fs = std::filesystem;
constexpr int kLevels = 3;            ///< Record Node, experiment, recording.
constexpr int kMostEntries = 10'000;  ///< A folder with more is none of these.
constexpr std::size_t kMostListed = 8;

bool is_file(const fs::path& path) {
  std::error_code failure;
  return fs::is_regular_file(path, failure);
}

bool holds_structure(const fs::path& folder) {
  return is_file(folder / "structure.oebin");
}

/// "Record Node 101", "Record_Node_101", "experiment1", "recording2".
bool leads_down(const std::string& name) {
  return name.starts_with("Record") || name.starts_with("experiment") ||
         name.starts_with("recording");
}

void search_below(const fs::path& folder, int levels, std::vector<fs::path>& found) {
  if (holds_structure(folder)) {
    found.push_back(folder);
    return;
  }
  if (levels == 0) {
    return;
  }
  std::error_code failure;
  int entries = 0;
  for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end;
       entry.increment(failure)) {
    if (++entries > kMostEntries) {
      return;
    }
    std::error_code unknown;
    if (leads_down(entry->path().filename().string()) && entry->is_directory(unknown)) {
      search_below(entry->path(), levels - 1, found);
    }
  }
}

/// The path is a stream's folder, or `continuous` above it, or continuous.dat in it.
OpenEphysPlace search_above(const fs::path& folder) {
  std::error_code failure;
  if (!fs::is_directory(folder, failure)) {
    return {};
  }
  if (folder.filename() == "continuous" && holds_structure(folder.parent_path())) {
    return {folder.parent_path(), {}};
  }
  const fs::path above = folder.parent_path();
  if (above.filename() == "continuous" && holds_structure(above.parent_path())) {
    return {above.parent_path(), folder.filename().string()};
  }
  return {};
}
}  // namespace

OpenEphysPlace find_open_ephys(const fs::path& path) {
  std::error_code failure;
  fs::path place = fs::absolute(path, failure).lexically_normal();
  place = place.has_filename() ? place : place.parent_path();  // "recording1/"
  if (is_file(place)) {
    const bool structure = place.filename() == "structure.oebin";
    const bool data = place.filename() == "continuous.dat";
    return structure ? OpenEphysPlace{place.parent_path(), {}}
           : data    ? search_above(place.parent_path())
                     : OpenEphysPlace{};
  }
  std::vector<fs::path> found;
  search_below(place, kLevels, found);
  if (found.empty()) {
    return search_above(place);
  }
  if (found.size() > 1) {
    std::sort(found.begin(), found.end());
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min(found.size(), kMostListed); ++i) {
      names.push_back(found[i].lexically_relative(place).string());
    }
    throw Error(ErrorCode::invalid_spec,
                fmt::format("{}: holds {} recordings, {}{}; give one of these folders, or several "
                            "with join",
                            path.string(), found.size(), fmt::join(names, ", "),
                            found.size() > kMostListed ? ", …" : ""));
  }
  return {found.front(), {}};
}

}  // namespace weir::formats
