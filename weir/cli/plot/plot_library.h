#pragma once

#include <string>

#include "weir/cli/plot/picture.h"

namespace weir::cli {

/// Draws a picture as a PNG. The part that draws, libweir_plot.so with cairo, is opened on first
/// use, so that everything else starts without it.
/// Errors: `unsupported` when it is not installed, naming where it was looked for; `io` naming
/// `path`.
void write_png(const Picture& picture, const std::string& path);

/// What the library exports as "weir_plot_write_png"; a problem becomes text.
using WritePng = void (*)(const Picture& picture, const char* path, std::string& problem);

}  // namespace weir::cli
