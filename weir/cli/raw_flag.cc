#include "weir/cli/raw_flag.h"

#include <fmt/format.h>

#include "weir/core/error.h"
#include "weir/core/text.h"

namespace weir::cli {
namespace {
Value number_or_text(const std::string& word) {
  if (word.find_first_not_of("0123456789-") == std::string::npos) {
    return parse_integer(word);
  }
  try {
    return parse_number(word);
  } catch (const Error&) {
    return word;  // "int16", "uV": the format says what it wanted if it wanted a number
  }
}
}  // namespace

Value raw_options(const std::vector<std::string>& words) {
  if (words.empty()) {
    return {};
  }
  Value object = Value::object();
  for (const auto& word : words) {
    const auto equals = word.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == word.size()) {
      throw Error(ErrorCode::invalid_spec,
                  fmt::format("--raw: \"{}\" is not of the form setting=value", word));
    }
    object.set(word.substr(0, equals), number_or_text(word.substr(equals + 1)));
  }
  return object;
}

}  // namespace weir::cli
