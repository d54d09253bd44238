#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "weir/model/expr/text_form.h"
#include "weir/model/expr/text_tokens_internal.h"

namespace weir::model {

/// The operation that a text calls by that name ("exp", "min", "solve"), or null; where texts have
/// an operator of their own (add, less, vector) there is none, but for "power".
const Op* operation_called(std::string_view name);

/// What names of one text mean, the text's own definitions included. One leaf is made for each.
/// Errors name the place in the text.
class Scope {
 public:
  /// Errors: `invalid_spec` where one parameter's name has two definitions.
  Scope(std::string_view text, const Names& names);

  /// The definition, parameter or column of that name.
  Expr value(const Token& name);
  Expr column_named(const std::string& name, std::size_t at);
  Expr momentum_of(std::string particle, MomentumComponent component, std::size_t at);
  const ModelFunction& function(const Token& name) const;

  /// A definition of the text itself. Refuses names that mean something already.
  void define(const Token& name, Expr value);

 private:
  void check_known(const std::string& column, std::size_t at) const;
  std::string suggestion(std::string_view word, const std::vector<std::string>& known) const;
  std::vector<std::string> values() const;

  std::string_view text_;
  const Names& names_;
  std::unordered_map<std::string, Expr> definitions_;
  std::unordered_map<std::string, Expr> parameters_;
  std::unordered_map<std::string, Expr> columns_;  // those that the text has used
  std::unordered_set<std::string_view> known_columns_;
};

}  // namespace weir::model
