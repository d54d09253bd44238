#include "weir/op/operator.h"

#include <array>

namespace weir::op {

std::span<const std::string_view> node_keys() noexcept {
  static constexpr std::array<std::string_view, 2> kKeys{"op", "id"};
  return kKeys;
}

std::string_view takes_events_name(TakesEvents takes) noexcept {
  switch (takes) {
    case TakesEvents::if_given:
      return "if given";
    case TakesEvents::always:
      return "always";
    case TakesEvents::no:
      break;
  }
  return "no";
}

}  // namespace weir::op
