#include "weir/model/expr/kind.h"

#include <fmt/format.h>

namespace weir::model {

std::string text(Kind kind) {
  if (kind.is_scalar()) {
    switch (kind.element) {
      case Element::boolean:
        return "Bool";
      case Element::real:
        return "Real";
      case Element::complex:
        return "Complex";
    }
  }
  const char* prefix = kind.element == Element::complex   ? "complex "
                       : kind.element == Element::boolean ? "Bool "
                                                          : "";
  return kind.is_vector() ? fmt::format("{}Vector[{}]", prefix, kind.rows)
                          : fmt::format("{}Matrix[{}x{}]", prefix, kind.rows, kind.columns);
}

}  // namespace weir::model
