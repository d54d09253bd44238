#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/core/error.h"
#include "weir/model/expr/text_names_internal.h"
#include "weir/model/expr/text_tokens_internal.h"

namespace weir::model {

/// A value and how it was written.
struct Written {
  Expr expr;
  bool plain = false;             ///< A number that stands by itself.
  bool row = false;               ///< A list in brackets.
  std::optional<int> whole = {};  ///< A whole number, in parentheses or not.
};

/// Reads one text. A recursive descent whose depth is limited; chains of operators are loops.
/// Statements and operators: text_form.cc; values: text_values.cc.
class Parser {
 public:
  Parser(std::string_view text, const Names& names)
      : text_(text), scope_(text, names), tokens_(tokens_of(text)) {}

  Expr run();

 private:
  /// One level of depth, for as long as it lives.
  class Level {
   public:
    Level(Parser& parser, const Token& token);
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    ~Level() { --parser_.depth_; }

   private:
    Parser& parser_;
  };

  const Token& peek() const { return tokens_[at_]; }
  const Token& take() { return tokens_[peek().kind == TokenKind::end ? at_ : at_++]; }
  bool is(std::string_view symbol) const {
    return peek().kind == TokenKind::symbol && peek().text == symbol;
  }
  bool is_word(std::string_view word) const {
    return peek().kind == TokenKind::name && peek().text == word;
  }
  [[noreturn]] void refuse(const Token& token, std::string_view what) const {
    refuse_at(text_, token.at, what);
  }
  void skip_separators();
  void expect(std::string_view symbol, const Token& opening);

  /// What a builder makes; its refusal gains the place.
  template <class Build>
  Written built(const Token& at, const Build& build) const {
    try {
      return {build()};
    } catch (const Error& error) {
      if (error.code() != ErrorCode::invalid_spec) {
        throw;
      }
      refuse_at(text_, at.at, error.text());
    }
  }

  // Statements and operators, loosest first.
  bool is_definition() const;
  void define();
  void expect_end_of_statement() const;
  Written binary(int lowest);
  Written prefixed(int lowest);
  Written signed_value();
  Written raised();

  // Values.
  Written indexed();
  int index();
  Written primary();
  Written reserved(const Token& token) const;
  Written named(const Token& token);
  Written momentum_of(std::string particle, std::string_view component, const Token& at,
                      const Token& component_at);
  Written called(const Token& name);
  Written call_of(const Token& name, const std::vector<Written>& operands);
  std::vector<Written> items(std::string_view closing, const Token& opening);
  Written tagged(const Token& opening);
  Written leaf_by_string(const Token& name, const Token& opening);
  Written list();
  Written list_of(const Token& opening, const std::vector<Written>& found) const;
  std::string string(std::string_view wanted);

  std::string_view text_;
  Scope scope_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace weir::model
