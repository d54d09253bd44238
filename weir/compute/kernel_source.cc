#include "weir/compute/kernel_source.h"

namespace weir::compute {

std::string_view name(ArgKind kind) noexcept {
  static constexpr std::array<std::string_view, 6> kNames{"buffer",  "int32",   "int64",
                                                          "float32", "float64", "local memory"};
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

}  // namespace weir::compute
