#include "weir/core/unit.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

namespace weir {
namespace {
constexpr std::int64_t kHighest = 1000;

/// base^power, the base one word or all in one pair of brackets.
struct Power {
  std::string_view base;
  std::int64_t power = 1;
};

bool is_one_word(std::string_view text) {
  return !text.empty() && text.find_first_of(" */()^") == std::string_view::npos;
}

bool is_bracketed(std::string_view text) {
  if (!text.starts_with('(')) {
    return false;
  }
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth == 0) {
      return i + 1 == text.size();
    }
  }
  return false;
}

/// The unit as one power, if that is what it is.
std::optional<Power> as_power(std::string_view unit) {
  if (is_one_word(unit) || is_bracketed(unit)) {
    return Power{unit};
  }
  const auto caret = unit.rfind('^');
  if (caret == std::string_view::npos) {
    return std::nullopt;
  }
  Power found{unit.substr(0, caret)};
  const std::string_view digits = unit.substr(caret + 1);
  const char* begin = digits.data();
  const char* end = begin + digits.size();
  const auto read = std::from_chars(begin, end, found.power);
  const bool number = read.ec == std::errc() && read.ptr == end && found.power >= -kHighest &&
                      found.power <= kHighest;
  return number && (is_one_word(found.base) || is_bracketed(found.base)) ? std::optional(found)
                                                                         : std::nullopt;
}

std::string text_of(const Power& unit) {
  if (unit.power == 0) {
    return {};
  }
  return unit.power == 1 ? std::string(unit.base) : fmt::format("{}^{}", unit.base, unit.power);
}

std::string factor(std::string_view unit) {
  return as_power(unit) ? std::string(unit) : fmt::format("({})", unit);
}
}  // namespace

std::string unit_to_the(std::int64_t power, std::string_view unit) {
  if (unit.empty()) {
    return {};
  }
  const std::string whole = fmt::format("({})", unit);
  const Power simple = as_power(unit).value_or(Power{whole});
  return text_of({simple.base, simple.power * power});
}

std::string product_unit(std::string_view a, std::string_view b) {
  if (a.empty() || b.empty()) {
    return std::string(a.empty() ? b : a);
  }
  const std::string whole_a = factor(a);
  const std::string whole_b = factor(b);
  const auto left = as_power(whole_a);
  const auto right = as_power(whole_b);
  if (left && right && left->base == right->base) {
    return text_of({left->base, left->power + right->power});
  }
  return fmt::format("{}*{}", whole_a, whole_b);
}

}  // namespace weir
