#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace weir::model {

enum class TokenKind : std::uint8_t {
  number,
  imaginary,
  name,
  quoted,
  string,
  symbol,
  separator,
  end
};

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;  ///< Of quoted names and strings what stands between the quotes.
  std::size_t at = 0;     ///< Bytes from the beginning.
  double value = 0;       ///< number, imaginary.
};

/// The words of a text, an `end` last. A line's end is a separator unless a bracket is open or an
/// operator comes before it.
std::vector<Token> tokens_of(std::string_view text);

/// "name "x"", "the end of the text": what an error says it found.
std::string described(const Token& token);

/// The words that are no names: and, or, not, pi, inf, nan.
bool is_reserved(std::string_view word);

/// A string with its escapes (\\ \" \n \r \t \xHH) resolved; the inverse, in quotes.
std::string unescaped(std::string_view text, std::string_view string, std::size_t at);
std::string quoted(std::string_view text);

/// Throws invalid_spec: "line 2, column 7: what", then the line with a caret below the place.
[[noreturn]] void refuse_at(std::string_view text, std::size_t at, std::string_view what);

}  // namespace weir::model
