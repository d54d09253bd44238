#include "weir/compute/kernel_source.h"

#include <fmt/format.h>

#include "weir/core/error.h"

namespace weir::compute {

std::string_view name(ArgKind kind) noexcept {
  static constexpr std::array<std::string_view, 7> kNames{
      "buffer", "int32", "int64", "float32", "float64", "floats128", "local memory"};
  return kNames[static_cast<std::size_t>(kind)];
}

const KernelEntry* KernelSource::find(std::string_view entry) const noexcept {
  for (const auto& candidate : entries) {
    if (candidate.name == entry) {
      return &candidate;
    }
  }
  return nullptr;
}

std::string specialised(const KernelSource& source, std::span<const Constant> constants) {
  std::string text(source.text);
  for (const auto& constant : constants) {
    const std::string line = fmt::format("\n#define {} ", constant.name);
    const auto at = text.find(line);
    if (at == std::string::npos) {
      throw Error(ErrorCode::internal,
                  fmt::format("{}: defines no constant {}", source.file, constant.name));
    }
    const auto value = at + line.size();
    text.replace(value, text.find('\n', value) - value, std::to_string(constant.value));
  }
  return text;
}

}  // namespace weir::compute
