#include "weir/model/expr/model_function.h"

#include <algorithm>

namespace weir::model {

// The list is written by CMake from the folders of functions/ that it finds. It names functions, so
// a folder whose source lacks its own is an error of the linker, not of the user.
#define WEIR_MODEL_FUNCTION(name) const ModelFunction& name##_function();
#include "weir/model/model_functions.inc"
#undef WEIR_MODEL_FUNCTION

std::vector<const ModelFunction*> model_functions() {
  return {
#define WEIR_MODEL_FUNCTION(name) &name##_function(),
#include "weir/model/model_functions.inc"
#undef WEIR_MODEL_FUNCTION
  };
}

const ModelFunction* find_model_function(std::string_view name) {
  const auto all = model_functions();
  const auto found = std::ranges::find(all, name, &ModelFunction::name);
  return found == all.end() ? nullptr : *found;
}

}  // namespace weir::model
