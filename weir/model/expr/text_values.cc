#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <numbers>

#include "weir/model/expr/operations.h"
#include "weir/model/expr/text_parser_internal.h"

namespace weir::model {
namespace {

/// Digits alone; where they are too many for an int, its largest value.
std::optional<int> whole_of(const Token& token) {
  int whole = 0;
  const std::string digits(token.text);
  const char* last = digits.data() + digits.size();
  const auto [end, failure] = std::from_chars(digits.data(), last, whole);
  if (end != last) {
    return std::nullopt;
  }
  return failure == std::errc() ? whole : std::numeric_limits<int>::max();
}

bool is_plain_real(const Written& operand) {
  return operand.plain && operand.expr.kind().is_real();
}

Expr element_of(const Expr& value, std::array<int, 2> place, bool of_matrix) {
  const Kind kind = value.kind();
  if (of_matrix ? kind.is_vector() : kind.is_matrix()) {
    throw Error(ErrorCode::invalid_spec, fmt::format("element: a {} takes {}", text(kind),
                                                     of_matrix ? "one index" : "two indices"));
  }
  return element(value, place[0], place[1]);
}

Expr matrix_of(const std::vector<Written>& rows) {
  const int columns = rows[0].expr.kind().rows;
  std::vector<Expr> elements;
  for (const Written& row : rows) {
    if (row.expr.kind().rows != columns) {
      throw Error(ErrorCode::invalid_spec,
                  fmt::format("matrix: rows of {} and {} elements", columns, row.expr.kind().rows));
    }
    const std::vector<Expr>& own = row.expr.node().operands;
    elements.insert(elements.end(), own.begin(), own.end());
  }
  return matrix(static_cast<int>(rows.size()), columns, std::move(elements));
}

std::vector<Expr> values_of(const std::vector<Written>& operands) {
  std::vector<Expr> values;
  values.reserve(operands.size());
  for (const Written& operand : operands) {
    values.push_back(operand.expr);
  }
  return values;
}

}  // namespace

Written Parser::indexed() {
  Written value = primary();
  while (is("[")) {
    const Token opening = take();
    std::array<int, 2> place = {index(), 0};
    const bool of_matrix = is(",");
    if (of_matrix) {
      take();
      place[1] = index();
    }
    expect("]", opening);
    value = built(opening, [&] { return element_of(value.expr, place, of_matrix); });
  }
  return value;
}

int Parser::index() {
  const Token token = peek();
  const auto whole = token.kind == TokenKind::number ? whole_of(token) : std::nullopt;
  if (!whole) {
    refuse(token, fmt::format("expected a whole number as index, found {}", described(token)));
  }
  take();
  return *whole;
}

Written Parser::primary() {
  const Token token = peek();
  switch (token.kind) {
    case TokenKind::number:
      take();
      return {.expr = constant(token.value), .plain = true, .whole = whole_of(token)};
    case TokenKind::imaginary:
      take();
      return {.expr = constant(0, token.value), .plain = true};
    case TokenKind::quoted:
      take();
      return named(token);
    case TokenKind::name:
      take();
      return is("(") ? called(token) : is_reserved(token.text) ? reserved(token) : named(token);
    default:
      break;
  }
  if (is("[")) {
    return list();
  }
  if (!is("(")) {
    refuse(token, fmt::format("expected a value, found {}", described(token)));
  }
  take();
  const Level level(*this, token);
  const Written inside = binary(0);
  expect(")", token);
  return {.expr = inside.expr, .whole = inside.whole};
}

Written Parser::reserved(const Token& token) const {
  if (token.text == "pi") {
    return {.expr = constant(std::numbers::pi), .plain = true};
  }
  if (token.text == "inf") {
    return {.expr = constant(std::numeric_limits<double>::infinity()), .plain = true};
  }
  if (token.text == "nan") {
    return {.expr = constant(std::numeric_limits<double>::quiet_NaN()), .plain = true};
  }
  refuse(token, fmt::format("expected a value, found {}", described(token)));
}

Written Parser::named(const Token& token) {
  if (!is(".")) {
    return {.expr = scope_.value(token)};
  }
  take();
  const Token component = take();
  return momentum_of(std::string(token.text), component.text, token, component);
}

Written Parser::momentum_of(std::string particle, std::string_view component, const Token& at,
                            const Token& component_at) {
  constexpr std::array<std::string_view, 5> kComponents = {"e", "px", "py", "pz", "E"};
  const auto* const found = std::find(kComponents.begin(), kComponents.end(), component);
  if (found == kComponents.end()) {
    refuse(component_at,
           fmt::format("expected a component e, px, py or pz, found {}", described(component_at)));
  }
  const auto index = static_cast<std::size_t>(found - kComponents.begin()) % 4;
  return {.expr = scope_.momentum_of(std::move(particle), static_cast<MomentumComponent>(index),
                                     at.at)};
}

Written Parser::called(const Token& name) {
  const Token opening = take();
  const Level level(*this, opening);
  if (name.text == "tag") {
    return tagged(opening);
  }
  if (name.text == "column" || name.text == "momentum") {
    return leaf_by_string(name, opening);
  }
  return call_of(name, items(")", opening));
}

Written Parser::call_of(const Token& name, const std::vector<Written>& operands) {
  const std::vector<Expr> arguments = values_of(operands);
  if (name.text == "cis") {
    if (arguments.size() != 1) {
      refuse(name, fmt::format("cis: takes 1 argument, not {}", arguments.size()));
    }
    return built(name, [&] { return cis(arguments[0]); });
  }
  const Op* op = operation_called(name.text);
  if (op == nullptr) {
    const ModelFunction& function = scope_.function(name);
    return built(name, [&] { return call(function, arguments); });
  }
  if (*op == Op::complex && operands.size() == 2 && is_plain_real(operands[0]) &&
      is_plain_real(operands[1])) {
    return {.expr = constant(arguments[0].node().value, arguments[1].node().value)};
  }
  return built(name, [&] { return make(*op, arguments); });
}

std::vector<Written> Parser::items(std::string_view closing, const Token& opening) {
  std::vector<Written> found;
  while (!is(closing) || !found.empty()) {
    found.push_back(binary(0));
    if (!is(",")) {
      break;
    }
    take();
  }
  expect(closing, opening);
  return found;
}

Written Parser::tagged(const Token& opening) {
  const Written value = binary(0);
  std::vector<std::string> tags;
  while (is(",")) {
    take();
    tags.push_back(string("a tag in double quotes"));
  }
  if (tags.empty()) {
    refuse(peek(), "expected a comma and a tag: tag(x, \"A\")");
  }
  expect(")", opening);
  return {.expr = value.expr.tagged(std::move(tags))};
}

Written Parser::leaf_by_string(const Token& name, const Token& opening) {
  const Token at = peek();
  std::string leaf = string("a name in double quotes");
  if (leaf.empty()) {
    refuse(at, "expected a name, found nothing between the quotes");
  }
  if (name.text == "column") {
    expect(")", opening);
    return {.expr = scope_.column_named(leaf, at.at)};
  }
  if (!is(",")) {
    refuse(peek(), fmt::format("expected a comma and a component, found {}", described(peek())));
  }
  take();
  const Token component_at = peek();
  const std::string component = string("a component in double quotes");
  expect(")", opening);
  return momentum_of(std::move(leaf), component, at, component_at);
}

Written Parser::list() {
  const Token opening = take();
  const Level level(*this, opening);
  return list_of(opening, items("]", opening));
}

Written Parser::list_of(const Token& opening, const std::vector<Written>& found) const {
  const bool of_rows = !found.empty() && std::all_of(found.begin(), found.end(),
                                                     [](const Written& item) { return item.row; });
  Written made =
      built(opening, [&] { return of_rows ? matrix_of(found) : vector(values_of(found)); });
  made.row = !of_rows;
  return made;
}

std::string Parser::string(std::string_view wanted) {
  const Token token = peek();
  if (token.kind != TokenKind::string) {
    refuse(token, fmt::format("expected {}, found {}", wanted, described(token)));
  }
  take();
  return unescaped(text_, token.text, token.at);
}

}  // namespace weir::model
