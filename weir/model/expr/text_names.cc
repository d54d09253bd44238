#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/core/value.h"
#include "weir/model/expr/operations.h"
#include "weir/model/expr/text_names_internal.h"

namespace weir::model {
namespace {

using OperationTable = std::unordered_map<std::string_view, Op>;

OperationTable make_operations() {
  OperationTable table = {{name(Op::power), Op::power}};
  const auto add = [&](Op first, Op last) {
    for (auto op = first; op <= last; op = static_cast<Op>(static_cast<int>(op) + 1)) {
      table.emplace(name(op), op);
    }
  };
  add(Op::exp, Op::maximum);
  add(Op::select, Op::faddeeva);
  add(Op::matmul, Op::solve);
  return table;
}

const OperationTable& operations() {
  static const OperationTable kTable = make_operations();
  return kTable;
}

}  // namespace

const Op* operation_called(std::string_view name) {
  const auto found = operations().find(name);
  return found == operations().end() ? nullptr : &found->second;
}

Scope::Scope(std::string_view text, const Names& names) : text_(text), names_(names) {
  for (const Parameter& definition : names.parameters) {
    const auto [at, added] = parameters_.emplace(definition.name, parameter(definition));
    if (!added) {
      // Says in what they differ, where they do.
      const std::array<Expr, 2> both = {at->second, parameter(definition)};
      parameters_of(both);
    }
  }
  for (const auto& [name, value] : names.definitions) {
    definitions_.insert_or_assign(name, value);
  }
  if (names.columns) {
    known_columns_.insert(names.columns->begin(), names.columns->end());
  }
}

Expr Scope::value(const Token& name) {
  const std::string word(name.text);
  if (name.kind != TokenKind::quoted) {
    if (const auto found = definitions_.find(word); found != definitions_.end()) {
      return found->second;
    }
  }
  if (const auto found = parameters_.find(word); found != parameters_.end()) {
    return found->second;
  }
  return column_named(word, name.at);
}

Expr Scope::column_named(const std::string& name, std::size_t at) {
  const auto found = columns_.find(name);
  if (found != columns_.end()) {
    return found->second;
  }
  check_known(name, at);
  return columns_.emplace(name, column(name)).first->second;
}

Expr Scope::momentum_of(std::string particle, MomentumComponent component, std::size_t at) {
  check_known(momentum_column(particle, component), at);
  return momentum(std::move(particle), component);
}

void Scope::check_known(const std::string& column, std::size_t at) const {
  if (names_.columns && !known_columns_.contains(column)) {
    refuse_at(text_, at,
              fmt::format("\"{}\" is no parameter, column or definition{}", printable(column),
                          suggestion(column, values())));
  }
}

const ModelFunction& Scope::function(const Token& name) const {
  std::vector<std::string> known = {"tag", "cis", "column", "momentum"};
  for (const ModelFunction* candidate : names_.functions) {
    if (candidate->name == name.text) {
      return *candidate;
    }
    known.emplace_back(candidate->name);
  }
  for (const auto& [word, op] : operations()) {
    known.emplace_back(word);
  }
  std::sort(known.begin(), known.end());
  refuse_at(text_, name.at,
            fmt::format("\"{}\" is no function{}", name.text, suggestion(name.text, known)));
}

void Scope::define(const Token& name, Expr value) {
  const std::string word(name.text);
  const char* already = definitions_.contains(word)          ? "a definition"
                        : parameters_.contains(word)         ? "a parameter"
                        : columns_.contains(word)            ? "read as a column"
                        : known_columns_.contains(name.text) ? "a column"
                                                             : nullptr;
  if (already != nullptr) {
    refuse_at(text_, name.at, fmt::format("\"{}\" is {} already", word, already));
  }
  definitions_.emplace(word, std::move(value));
}

std::string Scope::suggestion(std::string_view word, const std::vector<std::string>& known) const {
  constexpr std::size_t kLongest = 100;
  const auto nearest = word.size() <= kLongest ? nearest_word(word, known) : std::nullopt;
  return nearest ? fmt::format("; did you mean \"{}\"?", *nearest) : std::string();
}

std::vector<std::string> Scope::values() const {
  std::vector<std::string> known(known_columns_.begin(), known_columns_.end());
  for (const auto* table : {&definitions_, &parameters_}) {
    for (const auto& [word, value] : *table) {
      known.push_back(word);
    }
  }
  std::sort(known.begin(), known.end());
  return known;
}

}  // namespace weir::model
