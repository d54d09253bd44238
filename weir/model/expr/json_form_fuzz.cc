#include <string_view>

#include "weir/core/error.h"
#include "weir/model/expr/graphviz_form.h"
#include "weir/model/expr/json_form.h"
#include "weir/model/expr/same.h"
#include "weir/model/expr/text_form.h"
#include "weir/testing/fuzz.h"

namespace weir::model {
namespace {

Expr first_argument(std::span<const Expr> arguments) {
  return arguments[0];
}

const std::vector<const ModelFunction*>& functions() {
  static const ModelFunction kShape{.name = "normal",
                                    .arguments = {"x", "mu", "sigma"},
                                    .value = &first_argument,
                                    .formula = {},
                                    .source = {}};
  static const std::vector<const ModelFunction*> kList = {&kShape};
  return kList;
}

/// What can be read can be written, in every form, and read again.
void try_document(std::string_view text) {
  try {
    const std::vector<Expr> roots = parse_json_form(text, functions());
    const std::vector<Expr> again = parse_json_form(print_json(roots), functions());
    WEIR_CHECK(again.size() == roots.size());
    WEIR_CHECK(same(again[0], roots[0]));
    WEIR_CHECK(same(parse(print(roots[0]), names_of(roots[0])), roots[0]));
    WEIR_CHECK(!print_graphviz(roots).empty());
  } catch (const Error& error) {
    const bool expected =
        error.code() == ErrorCode::invalid_spec || error.code() == ErrorCode::corrupt_data;
    if (!expected || error.text().empty()) {
      throw;
    }
  }
}

}  // namespace
}  // namespace weir::model

WEIR_FUZZ(json_form) {
  weir::model::try_document({reinterpret_cast<const char*>(input.data()), input.size()});
}
