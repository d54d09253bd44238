#include "weir/core/opened_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>
#include <vector>

#include "weir/core/error.h"

namespace weir {
namespace {
namespace fs = std::filesystem;

std::vector<fs::path> places() {
  std::vector<fs::path> found;
  std::error_code failed;
  const fs::path program = fs::read_symlink("/proc/self/exe", failed);
  if (!failed) {
    found.push_back((program.parent_path() / WEIR_LIBRARIES_FROM_PROGRAM).lexically_normal());
    // Tests stand one folder higher in a build tree than the program does.
    found.push_back(program.parent_path() / WEIR_LIBRARIES_FROM_TREE);
  }
  found.emplace_back(WEIR_LIBRARIES_INSTALLED);
  return found;
}
}  // namespace

void* library_entry(const std::string& name, const std::string& entry) {
  std::string tried;
  for (const fs::path& place : places()) {
    const fs::path file = place / ("lib" + name + ".so");
    std::error_code failed;
    if (!fs::exists(file, failed)) {
      tried += fmt::format("; {} is not there", file.string());
      continue;
    }
    void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    void* found = library == nullptr ? nullptr : dlsym(library, entry.c_str());
    if (found != nullptr) {
      return found;
    }
    tried += fmt::format("; {}", dlerror());  // NOLINT(concurrency-mt-unsafe): of this thread
  }
  throw Error(ErrorCode::unsupported, fmt::format("lib{} cannot be opened{}", name, tried));
}

}  // namespace weir
