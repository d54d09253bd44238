#include "weir/model/expr/text_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "weir/model/expr/operations.h"
#include "weir/model/expr/text_parser_internal.h"

namespace weir::model {
namespace {

/// Brackets, signs and exponents inside one another.
constexpr int kDeepest = 256;
constexpr int kLargestExponent = 1024;

struct Infix {
  std::string_view symbol;
  int level;  ///< Higher binds tighter.
  Op op;
  bool swapped = false;
  bool negated = false;
};

constexpr int kNot = 3;
constexpr int kComparison = 4;
constexpr std::array kInfix = {
    Infix{"or", 1, Op::logical_or},
    Infix{"and", 2, Op::logical_and},
    Infix{"<", kComparison, Op::less},
    Infix{"<=", kComparison, Op::less_equal},
    Infix{">", kComparison, Op::less, true},
    Infix{">=", kComparison, Op::less_equal, true},
    Infix{"==", kComparison, Op::equal},
    Infix{"!=", kComparison, Op::equal, false, true},
    Infix{"+", 5, Op::add},
    Infix{"-", 5, Op::subtract},
    Infix{"*", 6, Op::multiply},
    Infix{"/", 6, Op::divide},
};

const Infix* infix_of(const Token& token) {
  if (token.kind != TokenKind::symbol && token.kind != TokenKind::name) {
    return nullptr;
  }
  const auto* const found = std::find_if(
      kInfix.begin(), kInfix.end(), [&](const Infix& infix) { return infix.symbol == token.text; });
  return found == kInfix.end() ? nullptr : found;
}

Expr applied(const Infix& infix, const Expr& left, const Expr& right) {
  const Expr made = infix.swapped ? make(infix.op, {right, left}) : make(infix.op, {left, right});
  return infix.negated ? logical_not(made) : made;
}

}  // namespace

Parser::Level::Level(Parser& parser, const Token& token) : parser_(parser) {
  if (parser.depth_ >= kDeepest) {
    parser.refuse(
        token, fmt::format("nested deeper than {} levels; name a part in a definition", kDeepest));
  }
  ++parser.depth_;
}

Expr Parser::run() {
  std::optional<Expr> result;
  for (skip_separators(); peek().kind != TokenKind::end; skip_separators()) {
    if (result) {
      refuse(peek(),
             "the statement before is neither a definition nor the last; one expression is the "
             "result, and a line goes on where it ends with an operator");
    }
    if (is_definition()) {
      define();
    } else {
      result = binary(0).expr;
    }
    expect_end_of_statement();
  }
  if (!result) {
    refuse(peek(), tokens_.size() == 1 ? "expected an expression, found nothing"
                                       : "expected an expression after the definitions");
  }
  return *result;
}

void Parser::skip_separators() {
  while (peek().kind == TokenKind::separator) {
    take();
  }
}

void Parser::expect(std::string_view symbol, const Token& opening) {
  if (!is(symbol)) {
    refuse(peek(), fmt::format("expected \"{}\" or an operator, found {} (\"{}\" was opened {} "
                               "characters before)",
                               symbol, described(peek()), opening.text, peek().at - opening.at));
  }
  take();
}

bool Parser::is_definition() const {
  if (peek().kind != TokenKind::name) {
    return false;
  }
  const Token& next = tokens_[at_ + 1];
  return next.kind == TokenKind::symbol && next.text == "=";
}

void Parser::define() {
  const Token name = take();
  if (is_reserved(name.text)) {
    refuse(name, fmt::format("\"{}\" is a word of the language", name.text));
  }
  take();
  scope_.define(name, binary(0).expr);
}

void Parser::expect_end_of_statement() const {
  if (peek().kind == TokenKind::separator || peek().kind == TokenKind::end) {
    return;
  }
  if (is(")") || is("]")) {
    refuse(peek(), fmt::format("\"{}\" closes nothing", peek().text));
  }
  refuse(peek(), fmt::format("expected an operator or the end of the statement, found {}{}",
                             described(peek()), is("=") ? " (to compare: ==)" : ""));
}

Written Parser::binary(int lowest) {
  Written left = prefixed(lowest);
  for (const Infix* infix = infix_of(peek()); infix != nullptr && infix->level >= lowest;
       infix = infix_of(peek())) {
    const Token symbol = take();
    const Written right = binary(infix->level + 1);
    left = built(symbol, [&] { return applied(*infix, left.expr, right.expr); });
    const Infix* next = infix_of(peek());
    if (infix->level == kComparison && next != nullptr && next->level == kComparison) {
      refuse(peek(), "comparisons do not chain; write a < b and b < c");
    }
  }
  return left;
}

Written Parser::prefixed(int lowest) {
  if (!is_word("not")) {
    return signed_value();
  }
  const Token word = take();
  const Level level(*this, word);
  if (lowest > kNot) {
    refuse(word, "\"not\" after an operator that binds tighter; put it in parentheses");
  }
  const Written operand = binary(is_word("not") ? kNot : kComparison);
  return built(word, [&] { return logical_not(operand.expr); });
}

Written Parser::signed_value() {
  if (!is("-")) {
    return raised();
  }
  const Token sign = take();
  const Level level(*this, sign);
  Written operand = signed_value();
  if (!operand.plain) {
    return built(sign, [&] { return -operand.expr; });
  }
  const Node& number = operand.expr.node();
  operand.expr = number.kind.is_complex() ? constant(number.value, -number.imaginary)
                                          : constant(-number.value);
  if (operand.whole) {
    operand.whole = -*operand.whole;
  }
  return operand;
}

Written Parser::raised() {
  Written base = indexed();
  if (!is("^") && !is("**")) {
    return base;
  }
  const Token symbol = take();
  const Level level(*this, symbol);
  const Token first = peek();
  const Written exponent = signed_value();
  if (exponent.whole && std::abs(*exponent.whole) > kLargestExponent) {
    refuse(first, fmt::format("a whole exponent must lie within -{0} to {0}; the real power is "
                              "power(x, n)",
                              kLargestExponent));
  }
  return built(symbol, [&] {
    return exponent.whole ? power(base.expr, *exponent.whole) : power(base.expr, exponent.expr);
  });
}

Expr parse(std::string_view text, const Names& names) {
  return Parser(text, names).run();
}

Names names_of(const Expr& root) {
  Names names{.functions = {}};
  for (const auto& parameter : parameters_of({&root, 1})) {
    names.parameters.push_back(*parameter);
  }
  for (const Node* node : operands_first({&root, 1})) {
    if (node->op == Op::call && std::find(names.functions.begin(), names.functions.end(),
                                          node->function) == names.functions.end()) {
      names.functions.push_back(node->function);
    }
  }
  return names;
}

}  // namespace weir::model
