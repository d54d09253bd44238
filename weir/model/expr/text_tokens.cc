#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/model/expr/text_tokens_internal.h"

namespace weir::model {
namespace {

constexpr std::array<std::string_view, 6> kReserved = {"and", "or", "not", "pi", "inf", "nan"};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0U) != 0x80;
  }));
}

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::vector<Token> run() {
    while (at_ < text_.size()) {
      step();
    }
    tokens_.push_back({.kind = TokenKind::end, .text = {}, .at = text_.size()});
    return std::move(tokens_);
  }

 private:
  char next(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  std::string_view name_at(std::size_t first) const {
    std::size_t end = first;
    while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]))) {
      ++end;
    }
    return text_.substr(first, end - first);
  }

  void add(TokenKind kind, std::size_t length) {
    tokens_.push_back({.kind = kind, .text = text_.substr(at_, length), .at = at_});
    at_ += length;
  }

  void step() {
    const char c = next();
    if (c == ' ' || c == '\t' || c == '\r') {
      ++at_;
    } else if (c == '#') {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (c == '\n') {
      if (open_ == 0 && !waits()) {
        add(TokenKind::separator, 1);
      } else {
        ++at_;
      }
    } else if (c == ';') {
      add(TokenKind::separator, 1);
    } else if (is_letter(c)) {
      add(TokenKind::name, name_at(at_).size());
    } else if (is_digit(c) || (c == '.' && is_digit(next(1)))) {
      number();
    } else if (c == '`' || c == '"') {
      enclosed(c);
    } else {
      symbol();
    }
  }

  /// Whether the last token is an operator that wants something after it.
  bool waits() const {
    if (tokens_.empty()) {
      return true;
    }
    const Token& last = tokens_.back();
    constexpr std::string_view kClosing = ")]";
    return last.kind == TokenKind::separator ||
           (last.kind == TokenKind::symbol && kClosing.find(last.text[0]) == kClosing.npos) ||
           (last.kind == TokenKind::name &&
            (last.text == "and" || last.text == "or" || last.text == "not"));
  }

  void number() {
    double value = 0;
    const char* first = text_.data() + at_;
    const auto [end, failure] = std::from_chars(first, text_.data() + text_.size(), value);
    const auto length = static_cast<std::size_t>(end - first);
    if (failure != std::errc()) {
      refuse_at(text_, at_,
                fmt::format("{} is beyond the range of numbers", text_.substr(at_, length)));
    }
    const bool imaginary =
        next(length) == 'i' && !is_letter(next(length + 1)) && !is_digit(next(length + 1));
    if (!imaginary && is_letter(next(length))) {
      refuse_at(text_, at_ + length,
                fmt::format("a number runs into a name; to multiply: {} * {}",
                            text_.substr(at_, length), name_at(at_ + length)));
    }
    add(imaginary ? TokenKind::imaginary : TokenKind::number, length);
    tokens_.back().value = value;
    at_ += imaginary ? 1 : 0;
  }

  void enclosed(char quote) {
    std::size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != quote && text_[end] != '\n') {
      end += quote == '"' && text_[end] == '\\' ? 2 : 1;
    }
    if (end >= text_.size() || text_[end] != quote) {
      refuse_at(text_, at_, fmt::format("expected a closing {} in this line", quote));
    }
    const std::string_view inside = text_.substr(at_ + 1, end - at_ - 1);
    if (quote == '`' && inside.empty()) {
      refuse_at(text_, at_, "expected a name between the backticks");
    }
    tokens_.push_back(
        {.kind = quote == '`' ? TokenKind::quoted : TokenKind::string, .text = inside, .at = at_});
    at_ = end + 1;
  }

  void symbol() {
    constexpr std::array<std::string_view, 5> kTwo = {"**", "<=", ">=", "==", "!="};
    constexpr std::string_view kOne = "+-*/^<>()[],=.";
    if (std::find(kTwo.begin(), kTwo.end(), text_.substr(at_, 2)) != kTwo.end()) {
      add(TokenKind::symbol, 2);
      return;
    }
    const char c = next();
    if (kOne.find(c) == kOne.npos) {
      refuse_at(text_, at_,
                fmt::format("\"{}\" has no meaning here", printable(text_.substr(at_, 1))));
    }
    open_ += c == '(' || c == '[' ? 1 : 0;
    open_ -= (c == ')' || c == ']') && open_ > 0 ? 1 : 0;
    add(TokenKind::symbol, 1);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t open_ = 0;  // brackets
  std::vector<Token> tokens_;
};

/// The line around a place, cut to a readable length, and a caret below it.
std::string excerpt(std::string_view line, std::size_t at) {
  constexpr std::size_t kBefore = 50;
  constexpr std::size_t kAfter = 30;
  const std::size_t first = at > kBefore ? at - kBefore : 0;
  const std::string before = (first > 0 ? "..." : "") + printable(line.substr(first, at - first));
  const bool cut = line.size() - at > kAfter;
  return fmt::format("\n  {}{}{}\n  {}^", before, printable(line.substr(at, kAfter)),
                     cut ? "..." : "", std::string(characters(before), ' '));
}

int hexadecimal(char c) {
  return is_digit(c)            ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

}  // namespace

std::vector<Token> tokens_of(std::string_view text) {
  return Lexer(text).run();
}

std::string described(const Token& token) {
  switch (token.kind) {
    case TokenKind::end:
      return "the end of the text";
    case TokenKind::separator:
      return token.text == "\n" ? "the end of the line" : "\";\"";
    case TokenKind::imaginary:
      return fmt::format("\"{}i\"", token.text);
    case TokenKind::quoted:
      return fmt::format("`{}`", printable(token.text.substr(0, 40)));
    default:
      return fmt::format("\"{}\"", printable(token.text.substr(0, 40)));
  }
}

bool is_reserved(std::string_view word) {
  return std::find(kReserved.begin(), kReserved.end(), word) != kReserved.end();
}

std::string unescaped(std::string_view text, std::string_view string, std::size_t at) {
  std::string out;
  for (std::size_t i = 0; i < string.size(); ++i) {
    if (string[i] != '\\') {
      out += string[i];
      continue;
    }
    const char escape = i + 1 < string.size() ? string[++i] : '\0';
    constexpr std::string_view kLetters = "\\\"nrt";
    constexpr std::string_view kMeant = "\\\"\n\r\t";
    const auto letter = kLetters.find(escape);
    const bool code = escape == 'x' && i + 2 < string.size() && hexadecimal(string[i + 1]) >= 0 &&
                      hexadecimal(string[i + 2]) >= 0;
    if (letter != kLetters.npos) {
      out += kMeant[letter];
    } else if (code) {
      out += static_cast<char>(hexadecimal(string[i + 1]) * 16 + hexadecimal(string[i + 2]));
      i += 2;
    } else {
      refuse_at(text, at, "in a string a backslash is followed by \\ \" n r t or xHH");
    }
  }
  return out;
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (code < 0x20 || code == 0x7f) {
      out += fmt::format("\\x{:02x}", code);
    } else {
      out += c;
    }
  }
  return out + '"';
}

void refuse_at(std::string_view text, std::size_t at, std::string_view what) {
  at = std::min(at, text.size());
  const std::string_view before = text.substr(0, at);
  const std::size_t start = before.rfind('\n') == before.npos ? 0 : before.rfind('\n') + 1;
  const std::string_view line =
      text.substr(start, std::min(text.find('\n', at), text.size()) - start);
  throw Error(
      ErrorCode::invalid_spec,
      fmt::format("line {}, column {}: {}{}", std::count(before.begin(), before.end(), '\n') + 1,
                  characters(before.substr(start)) + 1, what, excerpt(line, at - start)));
}

}  // namespace weir::model
