#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "weir/core/text.h"
#include "weir/model/expr/latex_form.h"
#include "weir/model/expr/latex_symbols_internal.h"

namespace weir::model {
namespace {

/// The letters that LaTeX has commands for.
constexpr std::array<std::string_view, 39> kGreek = {
    "alpha", "beta",  "gamma",   "delta", "epsilon", "zeta",       "eta",     "theta",
    "iota",  "kappa", "lambda",  "mu",    "nu",      "xi",         "pi",      "rho",
    "sigma", "tau",   "upsilon", "phi",   "chi",     "psi",        "omega",   "Gamma",
    "Delta", "Theta", "Lambda",  "Xi",    "Pi",      "Sigma",      "Upsilon", "Phi",
    "Psi",   "Omega", "varphi",  "hbar",  "ell",     "varepsilon", "vartheta"};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::string symbol(std::string_view word) {
  if (std::find(kGreek.begin(), kGreek.end(), word) != kGreek.end()) {
    return fmt::format("\\{}", word);
  }
  const bool digits = std::all_of(word.begin(), word.end(), is_digit);
  const bool letter = word.size() == 1 && is_identifier(word) && word != "_";
  return digits || letter ? std::string(word) : latex_upright(word);
}

/// "sigma1" as "sigma" and "1"; a word of digits alone stays whole.
std::pair<std::string, std::string> without_number(std::string_view word) {
  const auto last = word.find_last_not_of("0123456789");
  if (last == word.npos || last + 1 == word.size()) {
    return {std::string(word), {}};
  }
  return {std::string(word.substr(0, last + 1)), std::string(word.substr(last + 1))};
}

}  // namespace

std::string latex_upright(std::string_view word) {
  std::string out = "\\mathrm{";
  for (const char c : word) {
    constexpr std::string_view kEscaped = "#$%&_{}";
    if (kEscaped.find(c) != kEscaped.npos) {
      out += '\\';
      out += c;
    } else if (c == ' ') {
      out += "\\ ";
    } else if (c == '\\' || c == '~' || c == '^') {
      out += c == '\\' ? "\\backslash " : c == '~' ? "\\sim " : "\\wedge ";
    } else {
      out += c;
    }
  }
  return out + "}";
}

std::string latex_name(std::string_view name) {
  const std::string shown = printable(name);
  if (!is_identifier(shown)) {
    return latex_upright(shown);
  }
  std::vector<std::string> words = split(shown, '_');
  std::erase(words, std::string());
  if (words.empty()) {
    return latex_upright(shown);
  }
  const auto [base, number] = without_number(words[0]);
  std::string below = number;
  for (std::size_t i = 1; i < words.size(); ++i) {
    below += (below.empty() ? "" : ",") + symbol(words[i]);
  }
  const std::string letter = symbol(base);
  return below.empty() ? letter : fmt::format("{}_{{{}}}", letter, below);
}

}  // namespace weir::model
