#include "weir/cli/plot/plot_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>
#include <vector>

#include "weir/core/error.h"

namespace weir::cli {
namespace {
/// Beside the program, wherever it was moved to; then where it was configured to be installed.
std::vector<std::filesystem::path> places() {
  std::error_code failed;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", failed);
  std::vector<std::filesystem::path> found;
  if (!failed) {
    found.push_back(
        (program.parent_path() / WEIR_PLOT_FROM_PROGRAM / "libweir_plot.so").lexically_normal());
  }
  found.push_back(std::filesystem::path(WEIR_PLOT_INSTALLED) / "libweir_plot.so");
  return found;
}

WritePng load() {
  std::string tried;
  for (const auto& place : places()) {
    if (void* library = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL)) {
      if (void* entry = dlsym(library, "weir_plot_write_png")) {
        return reinterpret_cast<WritePng>(entry);
      }
    }
    tried += fmt::format("; {}", dlerror());
  }
  throw Error(ErrorCode::unsupported, "the drawing library cannot be opened" + tried);
}
}  // namespace

void write_png(const Picture& picture, const std::string& path) {
  static const WritePng kWrite = load();
  std::string problem;
  kWrite(picture, path.c_str(), problem);
  if (!problem.empty()) {
    throw Error(ErrorCode::io, fmt::format("{}: {}", path, problem));
  }
}

}  // namespace weir::cli
