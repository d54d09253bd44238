#include "weir/core/version.h"

namespace weir {

std::string_view version() noexcept {
  return WEIR_VERSION;
}

}  // namespace weir
