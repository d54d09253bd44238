#include "weir/op/operator.h"

#include <array>

namespace weir::op {

std::span<const std::string_view> node_keys() noexcept {
  static constexpr std::array<std::string_view, 2> kKeys{"op", "id"};
  return kKeys;
}

}  // namespace weir::op
