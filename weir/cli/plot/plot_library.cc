#include "weir/cli/plot/plot_library.h"

#include <fmt/format.h>

#include "weir/core/error.h"
#include "weir/core/opened_library.h"

namespace weir::cli {

void write_png(const Picture& picture, const std::string& path) {
  static const auto kWrite =
      reinterpret_cast<WritePng>(library_entry("weir_plot", "weir_plot_write_png"));
  std::string problem;
  kWrite(picture, path.c_str(), problem);
  if (!problem.empty()) {
    throw Error(ErrorCode::io, fmt::format("{}: {}", path, problem));
  }
}

}  // namespace weir::cli
