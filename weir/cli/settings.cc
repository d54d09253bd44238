#include "weir/cli/settings.h"

#include <fmt/format.h>

#include <string_view>

#include "weir/core/error.h"
#include "weir/core/text.h"

namespace weir::cli {
namespace {
Value value_of(const std::string& word);

/// "1, 2.5": what stands between the commas.
Value list_of(std::string_view words) {
  Value list = Value::array();
  if (!trimmed(words).empty()) {
    for (const std::string& word : split(words, ',')) {
      list.as_array().push_back(value_of(std::string(trimmed(word))));
    }
  }
  return list;
}

Value value_of(const std::string& word) {
  if (word.size() >= 2 && word.front() == '[' && word.back() == ']') {
    return list_of(std::string_view(word).substr(1, word.size() - 2));
  }
  if (word == "true" || word == "false") {
    return word == "true";
  }
  if (word.find_first_not_of("0123456789-") == std::string::npos) {
    return parse_integer(word);
  }
  try {
    return parse_number(word);
  } catch (const Error&) {
    return word;  // "int16", "uV": whoever wanted a number says so
  }
}
}  // namespace

Value settings(const std::string& flag, const std::vector<std::string>& words) {
  if (words.empty()) {
    return {};
  }
  Value object = Value::object();
  for (const auto& word : words) {
    const auto equals = word.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == word.size()) {
      throw Error(ErrorCode::invalid_spec,
                  fmt::format("{}: \"{}\" is not of the form setting=value", flag, word));
    }
    object.set(word.substr(0, equals), value_of(word.substr(equals + 1)));
  }
  return object;
}

}  // namespace weir::cli
