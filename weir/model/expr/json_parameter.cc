#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/model/expr/json_parameter_internal.h"

namespace weir::model {
namespace {

using NumberField = std::pair<const char*, std::optional<double> Parameter::*>;
using TextField = std::pair<const char*, std::string Parameter::*>;
using FlagField = std::pair<const char*, bool Parameter::*>;

constexpr std::array<NumberField, 6> kNumbers = {{
    {"initial", &Parameter::initial},
    {"initial_lower", &Parameter::initial_lower},
    {"initial_upper", &Parameter::initial_upper},
    {"lower", &Parameter::lower},
    {"upper", &Parameter::upper},
    {"scale", &Parameter::scale},
}};
constexpr std::array<FlagField, 2> kFlags = {{
    {"periodic", &Parameter::periodic},
    {"fixed", &Parameter::fixed},
}};
constexpr std::array<TextField, 4> kTexts = {{
    {"name", &Parameter::name},
    {"unit", &Parameter::unit},
    {"latex", &Parameter::latex},
    {"description", &Parameter::description},
}};

std::vector<std::string> all_fields() {
  std::vector<std::string> known;
  known.reserve(kNumbers.size() + kFlags.size() + kTexts.size());
  for (const auto& [key, field] : kNumbers) {
    known.emplace_back(key);
  }
  for (const auto& [key, field] : kFlags) {
    known.emplace_back(key);
  }
  for (const auto& [key, field] : kTexts) {
    known.emplace_back(key);
  }
  return known;
}

}  // namespace

Value parameter_value(const Parameter& parameter) {
  Value value = Value::object();
  value.set("name", parameter.name);
  for (const auto& [key, field] : kNumbers) {
    if (const auto& number = parameter.*field) {
      value.set(key, *number);
    }
  }
  for (const auto& [key, field] : kFlags) {
    if (parameter.*field) {
      value.set(key, true);
    }
  }
  for (const auto& [key, field] : kTexts) {
    if (!(parameter.*field).empty()) {
      value.set(key, parameter.*field);
    }
  }
  return value;
}

Parameter read_parameter(const Value& value) {
  static const std::vector<std::string> kKnown = all_fields();
  check_keys(value, kKnown);
  Parameter parameter;
  const auto read = [&](const char* key, const auto& take) {
    if (const Value* member = value.find(key)) {
      in_context(key, [&] { take(*member); });
    }
  };
  for (const auto& [key, field] : kNumbers) {
    read(key, [&, to = field](const Value& member) { parameter.*to = member.as_number(); });
  }
  for (const auto& [key, field] : kFlags) {
    read(key, [&, to = field](const Value& member) { parameter.*to = member.as_bool(); });
  }
  for (const auto& [key, field] : kTexts) {
    read(key, [&, to = field](const Value& member) { parameter.*to = member.as_string(); });
  }
  check(parameter);
  return parameter;
}

void check_keys(const Value& value, const std::vector<std::string>& known) {
  for (const auto& [key, member] : value.as_object()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) {
      continue;
    }
    constexpr std::size_t kLongest = 100;
    const auto nearest = key.size() <= kLongest ? nearest_word(key, known) : std::nullopt;
    throw Error(ErrorCode::invalid_spec,
                fmt::format("{}: unknown key{}", printable(key),
                            nearest ? fmt::format("; did you mean \"{}\"?", *nearest) : ""));
  }
}

}  // namespace weir::model
