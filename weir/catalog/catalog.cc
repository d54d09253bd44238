#include "weir/catalog/catalog.h"

// The lists are written by CMake from the plugin folders it finds. They name functions, so a plugin
// that a list names and that does not exist is an error of the linker, not of the user.
#define WEIR_OPERATOR(name) const op::Operator& name##_operator();
namespace weir::signal {
#include "weir/catalog/operators.inc"
}  // namespace weir::signal
#undef WEIR_OPERATOR

#define WEIR_FORMAT(name) const Format& name##_format();
namespace weir::formats {
#include "weir/catalog/formats.inc"
}  // namespace weir::formats
#undef WEIR_FORMAT

namespace weir::catalog {

const op::OperatorList& operators() {
  static const op::OperatorList kList({
#define WEIR_OPERATOR(name) &signal::name##_operator(),
#include "weir/catalog/operators.inc"
#undef WEIR_OPERATOR
  });
  return kList;
}

const formats::FormatList& formats() {
  static const formats::FormatList kList({
#define WEIR_FORMAT(name) &weir::formats::name##_format(),
#include "weir/catalog/formats.inc"
#undef WEIR_FORMAT
  });
  return kList;
}

}  // namespace weir::catalog
