#include "weir/formats/python_literal.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "weir/core/error.h"
#include "weir/core/text.h"

namespace weir::formats {
namespace {
constexpr int kDeepest = 32;
constexpr std::int64_t kMostValues = 1'000'000;

class Parser {
 public:
  Parser(std::string_view text, std::size_t at) : text_(text), at_(at) {}

  Value value() {
    if (++depth_ > kDeepest) {
      refuse("is nested too deep");
    }
    count(1);
    Value result = one();
    --depth_;
    return result;
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    const auto line =
        1 + std::count(text_.begin(),
                       text_.begin() + static_cast<std::ptrdiff_t>(std::min(at_, text_.size())),
                       '\n');
    throw Error(ErrorCode::corrupt_data, fmt::format("line {}: {}", line, what));
  }

  void count(std::int64_t values) {
    values_ += values;
    if (values_ > kMostValues) {
      refuse(fmt::format("more than {} values", grouped(kMostValues)));
    }
  }

  void skip_blanks() {
    while (at_ < text_.size()) {
      if (text_[at_] == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (std::isspace(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '\\') {
        ++at_;
      } else {
        return;
      }
    }
  }

  bool take(char wanted) {
    skip_blanks();
    if (at_ < text_.size() && text_[at_] == wanted) {
      ++at_;
      return true;
    }
    return false;
  }

  void expect(char wanted) {
    if (!take(wanted)) {
      refuse(fmt::format("expected \"{}\"", wanted));
    }
  }

  Value one() {
    skip_blanks();
    if (at_ >= text_.size()) {
      refuse("ends too early");
    }
    const char first = text_[at_];
    if (first == '{') {
      return dict();
    }
    if (first == '[' || first == '(') {
      ++at_;
      return sequence(first == '[' ? ']' : ')');
    }
    if (first == '\'' || first == '"') {
      return quoted();
    }
    return std::isalpha(static_cast<unsigned char>(first)) != 0 ? word() : number();
  }

  Value dict() {
    Value object = Value::object();
    expect('{');
    while (!take('}')) {
      const Value key = value();
      expect(':');
      object.set(key.is_string() ? key.as_string() : to_json(key), value());
      if (!take(',')) {
        expect('}');
        break;
      }
    }
    return object;
  }

  /// What is left of it, its bracket taken.
  Value sequence(char end) {
    Value::Array items;
    while (!take(end)) {
      items.push_back(value());
      if (!take(',')) {
        expect(end);
        break;
      }
    }
    return Value(std::move(items));
  }

  Value quoted() {
    const char mark = text_[at_];
    const auto end = text_.find(mark, at_ + 1);
    const auto content = text_.substr(at_ + 1, end == text_.npos ? end : end - at_ - 1);
    if (end == text_.npos || content.find_first_of("\\\n") != content.npos) {
      refuse("a text with escapes, or without an end");
    }
    at_ = end + 1;
    return Value(std::string(content));
  }

  std::string_view taken_while(bool (*belongs)(char)) {
    const std::size_t first = at_;
    while (at_ < text_.size() && belongs(text_[at_])) {
      ++at_;
    }
    return text_.substr(first, at_ - first);
  }

  Value word() {
    const auto name = taken_while([](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
    });
    if (name == "None") {
      return {};
    }
    if (name == "True" || name == "False") {
      return Value(name == "True");
    }
    // NumPy 2 writes its numbers so.
    constexpr std::array<std::string_view, 8> kWrappers{
        "list", "tuple", "int", "float", "np.int64", "np.int32", "np.float64", "np.float32"};
    if (std::find(kWrappers.begin(), kWrappers.end(), name) != kWrappers.end()) {
      expect('(');
      Value inside = value();
      expect(')');
      return inside;
    }
    if (name == "range" || name == "np.arange") {
      expect('(');
      return range(sequence(')').as_array());
    }
    refuse(fmt::format("\"{}\" is no plain value", printable(name)));
  }

  Value range(const Value::Array& bounds) {
    if (bounds.empty() || bounds.size() > 2) {
      refuse("a range of one or two numbers is read");
    }
    const std::int64_t first = bounds.size() == 2 ? bounds[0].as_integer() : 0;
    const std::int64_t end = bounds.back().as_integer();
    if (first < 0 || end > kMostValues) {
      refuse(fmt::format("range({}, {}) is out of bounds", first, end));
    }
    count(std::max(end - first, std::int64_t{0}));
    Value::Array items;
    for (std::int64_t i = first; i < end; ++i) {
      items.emplace_back(i);
    }
    return Value(std::move(items));
  }

  Value number() {
    const auto text = taken_while([](char c) {
      return std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.' || c == 'e' || c == 'E' ||
             c == '-' || c == '+';
    });
    try {
      const bool whole = text.find_first_of(".eE") == text.npos;
      return whole ? Value(parse_integer(text)) : Value(parse_number(text));
    } catch (const Error&) {
      refuse(fmt::format("\"{}\" is no plain value", printable(text_.substr(at_, 20))));
    }
  }

  std::string_view text_;
  std::size_t at_;
  int depth_ = 0;
  std::int64_t values_ = 0;
};
}  // namespace

Value python_literal(std::string_view text, std::string_view name) {
  for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
    const bool begins_line = at == 0 || text[at - 1] == '\n';
    auto equals = text.find_first_not_of(" \t", at + name.size());
    if (begins_line && equals != text.npos && text[equals] == '=') {
      return Parser(text, equals + 1).value();
    }
  }
  throw Error(ErrorCode::not_found, fmt::format("no line \"{} = …\"", name));
}

}  // namespace weir::formats
