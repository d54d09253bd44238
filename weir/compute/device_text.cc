#include <fmt/format.h>

#include <charconv>

#include "weir/compute/backends_internal.h"
#include "weir/core/text.h"

namespace weir::compute {
namespace {

/// The number after "file:" where "error" stands first on the same line; 0 when there is none.
int error_line(std::string_view file, std::string_view log) {
  for (const auto& line : split(log, '\n')) {
    if (line.find("error") == std::string::npos) {
      continue;
    }
    const auto at = line.find(file);
    if (at == std::string::npos) {
      continue;
    }
    // clang writes file:12:3, NVRTC file(12).
    const char* first = line.data() + std::min(at + file.size() + 1, line.size());
    int number = 0;
    std::from_chars(first, line.data() + line.size(), number);
    if (number > 0) {
      return number;
    }
  }
  return 0;
}

}  // namespace

std::string quote_compile_log(const KernelSource& source, std::string_view log) {
  const int number = error_line(source.file, log);
  const auto lines = split(source.text, '\n');
  if (number == 0 || static_cast<std::size_t>(number) > lines.size()) {
    return fmt::format("{}: the device compiler refused it:\n{}", source.file, trimmed(log));
  }
  return fmt::format("{}:{}: the device compiler refused \"{}\":\n{}", source.file, number,
                     trimmed(lines[static_cast<std::size_t>(number) - 1]), trimmed(log));
}

std::string device_text(std::string_view prelude, const KernelSource& source, Real real) {
  return fmt::format("{}typedef {} real;\n#line 1 \"{}\"\n{}", prelude,
                     real == Real::float64 ? "double" : "float", source.file, source.text);
}

}  // namespace weir::compute
