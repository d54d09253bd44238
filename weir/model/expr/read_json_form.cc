#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <unordered_map>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/model/expr/json_form.h"
#include "weir/model/expr/json_parameter_internal.h"
#include "weir/model/expr/operations.h"

namespace weir::model {
namespace {

constexpr std::int64_t kVersion = 1;

[[noreturn]] void refuse(const std::string& what) {
  throw Error(ErrorCode::invalid_spec, what);
}

/// The operation called so in documents.
Op operation_named(const std::string& word) {
  std::vector<std::string> known;
  for (int i = 0; i <= static_cast<int>(Op::call); ++i) {
    const auto op = static_cast<Op>(i);
    if (name(op) == word) {
      return op;
    }
    known.emplace_back(name(op));
  }
  constexpr std::size_t kLongest = 100;
  const auto nearest = word.size() <= kLongest ? nearest_word(word, known) : std::nullopt;
  refuse(fmt::format("\"{}\" is no operation{}", printable(word.substr(0, kLongest)),
                     nearest ? fmt::format("; did you mean \"{}\"?", *nearest) : ""));
}

/// A member that must be there, read by `take`; errors name it.
template <class Take>
decltype(auto) member(const Value& object, const char* key, const Take& take) {
  const Value& value = object.at(key);
  return in_context(key, [&]() -> decltype(auto) { return take(value); });
}

double number_of(const Value& value) {
  if (!value.is_string()) {
    return value.as_number();
  }
  const std::string& word = value.as_string();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (word == "inf" || word == "-inf") {
    return word == "inf" ? kInfinity : -kInfinity;
  }
  if (word != "nan") {
    refuse(fmt::format("expected a number, \"nan\", \"inf\" or \"-inf\", found \"{}\"",
                       printable(word.substr(0, 40))));
  }
  return std::numeric_limits<double>::quiet_NaN();
}

int int_of(const Value& value) {
  const std::int64_t number = value.as_integer();
  if (number < std::numeric_limits<int>::min() || number > std::numeric_limits<int>::max()) {
    refuse(fmt::format("{} is out of range", number));
  }
  return static_cast<int>(number);
}

std::string text_of(const Value& value) {
  return value.as_string();
}

MomentumComponent component_of(const Value& value) {
  constexpr std::array<std::string_view, 4> kComponents = {"e", "px", "py", "pz"};
  const auto* const found = std::find(kComponents.begin(), kComponents.end(), value.as_string());
  if (found == kComponents.end()) {
    refuse(fmt::format("expected e, px, py or pz, found \"{}\"",
                       printable(value.as_string().substr(0, 40))));
  }
  return static_cast<MomentumComponent>(found - kComponents.begin());
}

/// The keys that a node of that operation may have.
std::vector<std::string> keys_of(Op op) {
  switch (op) {
    case Op::constant:
      return {"op", "tags", "value", "imaginary"};
    case Op::parameter:
    case Op::column:
      return {"op", "tags", "name"};
    case Op::momentum:
      return {"op", "tags", "name", "component"};
    case Op::power_integer:
      return {"op", "tags", "operands", "exponent"};
    case Op::element:
      return {"op", "tags", "operands", "index"};
    case Op::matrix:
      return {"op", "tags", "operands", "rows", "columns"};
    case Op::call:
      return {"op", "tags", "operands", "function"};
    default:
      return {"op", "tags", "operands"};
  }
}

class Reader {
 public:
  explicit Reader(const std::vector<const ModelFunction*>& functions) : functions_(functions) {}

  std::vector<Expr> read(const Value& document) {
    if (!document.is_object() || document.find("weir_expression") == nullptr) {
      refuse("no expression: the key \"weir_expression\" is missing");
    }
    const std::int64_t version =
        member(document, "weir_expression", [](const Value& v) { return v.as_integer(); });
    if (version != kVersion) {
      refuse(
          fmt::format("weir_expression: this program reads version {}, not {}", kVersion, version));
    }
    check_keys(document, {"weir_expression", "parameters", "nodes", "roots"});
    if (const Value* parameters = document.find("parameters")) {
      each(*parameters, "parameters", [&](const Value& value) { add_parameter(value); });
    }
    each(document.at("nodes"), "nodes", [&](const Value& value) { nodes_.push_back(node(value)); });
    std::vector<Expr> roots;
    each(document.at("roots"), "roots", [&](const Value& value) { roots.push_back(at(value)); });
    if (roots.empty()) {
      refuse("roots: there is none");
    }
    return roots;
  }

 private:
  template <class Take>
  static void each(const Value& list, const char* key, const Take& take) {
    const Value::Array& items =
        in_context(key, [&]() -> const Value::Array& { return list.as_array(); });
    for (std::size_t i = 0; i < items.size(); ++i) {
      try {
        take(items[i]);
      } catch (Error& error) {
        error.prefix(fmt::format("{}[{}]", key, i));
        throw;
      }
    }
  }

  void add_parameter(const Value& value) {
    const Parameter read = read_parameter(value);
    if (!parameters_.emplace(read.name, parameter(read)).second) {
      refuse(fmt::format("name: \"{}\" is defined already", read.name));
    }
  }

  const Expr& at(const Value& value) const {
    const std::int64_t index = value.as_integer();
    if (index < 0 || index >= static_cast<std::int64_t>(nodes_.size())) {
      refuse(fmt::format("{} is not among the {} nodes before", index, nodes_.size()));
    }
    return nodes_[static_cast<std::size_t>(index)];
  }

  Expr node(const Value& value) const {
    const Op op =
        member(value, "op", [](const Value& v) { return operation_named(v.as_string()); });
    check_keys(value, keys_of(op));
    std::vector<Expr> operands;
    if (const Value* list = value.find("operands")) {
      each(*list, "operands", [&](const Value& item) { operands.push_back(at(item)); });
    }
    Expr made = made_of(op, value, std::move(operands));
    const Value* tags = value.find("tags");
    if (tags == nullptr) {
      return made;
    }
    std::vector<std::string> words;
    each(*tags, "tags", [&](const Value& item) { words.push_back(item.as_string()); });
    return made.tagged(std::move(words));
  }

  Expr made_of(Op op, const Value& value, std::vector<Expr> operands) const {
    switch (op) {
      case Op::constant: {
        const double real = member(value, "value", number_of);
        return value.find("imaginary") == nullptr
                   ? constant(real)
                   : constant(real, member(value, "imaginary", number_of));
      }
      case Op::parameter:
        return member(value, "name", [&](const Value& v) { return parameter_named(v); });
      case Op::column:
        return column(member(value, "name", text_of));
      case Op::momentum:
        return momentum(member(value, "name", text_of), member(value, "component", component_of));
      case Op::power_integer:
        return make(op, std::move(operands), member(value, "exponent", int_of));
      case Op::element:
        return element_of(value, std::move(operands));
      case Op::matrix:
        return make(op, std::move(operands), member(value, "rows", int_of),
                    member(value, "columns", int_of));
      case Op::call:
        return call(member(value, "function",
                           [&](const Value& v) -> const ModelFunction& {
                             return function_named(v.as_string());
                           }),
                    std::move(operands));
      default:
        return make(op, std::move(operands));
    }
  }

  Expr parameter_named(const Value& value) const {
    const auto found = parameters_.find(value.as_string());
    if (found == parameters_.end()) {
      refuse(fmt::format("\"{}\" is not among the parameters",
                         printable(value.as_string().substr(0, 40))));
    }
    return found->second;
  }

  const ModelFunction& function_named(const std::string& word) const {
    for (const ModelFunction* function : functions_) {
      if (function->name == word) {
        return *function;
      }
    }
    refuse(fmt::format("\"{}\" is no function", printable(word.substr(0, 40))));
  }

  static Expr element_of(const Value& value, std::vector<Expr> operands) {
    std::vector<int> place;
    each(value.at("index"), "index", [&](const Value& item) { place.push_back(int_of(item)); });
    const bool of_matrix = !operands.empty() && operands[0].kind().is_matrix();
    if (place.size() != (of_matrix ? 2U : 1U)) {
      refuse(fmt::format("index: expected {} numbers, found {}", of_matrix ? 2 : 1, place.size()));
    }
    return make(Op::element, std::move(operands), place[0], of_matrix ? place[1] : 0);
  }

  const std::vector<const ModelFunction*>& functions_;
  std::unordered_map<std::string, Expr> parameters_;
  std::vector<Expr> nodes_;
};

}  // namespace

std::vector<Expr> read_json_form(const Value& document,
                                 const std::vector<const ModelFunction*>& functions) {
  return Reader(functions).read(document);
}

}  // namespace weir::model
