#include <string_view>

#include "weir/core/error.h"
#include "weir/model/expr/latex_form.h"
#include "weir/model/expr/same.h"
#include "weir/model/expr/text_form.h"
#include "weir/testing/fuzz.h"

namespace weir::model {
namespace {

Expr first_argument(std::span<const Expr> arguments) {
  return arguments[0];
}

const Names& names() {
  static const ModelFunction kShape{.name = "normal",
                                    .arguments = {"x", "mu", "sigma"},
                                    .value = &first_argument,
                                    .formula = {},
                                    .source = {}};
  static const Names kNames{.parameters = {{.name = "mu"}, {.name = "sigma"}, {.name = "z"}},
                            .functions = {&kShape}};
  return kNames;
}

/// What can be read can be printed and read again; what cannot is refused with a place.
void try_text(std::string_view text) {
  try {
    const Expr read = parse(text, names());
    const Expr again = parse(print(read), names_of(read));
    WEIR_CHECK(same(read, again));
    WEIR_CHECK(!print_latex(read).empty());
  } catch (const Error& error) {
    if (error.code() != ErrorCode::invalid_spec || !error.text().starts_with("line ")) {
      throw;
    }
  }
}

}  // namespace
}  // namespace weir::model

WEIR_FUZZ(text_form) {
  weir::model::try_text({reinterpret_cast<const char*>(input.data()), input.size()});
}
