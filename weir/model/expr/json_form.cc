#include "weir/model/expr/json_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include "weir/core/error.h"
#include "weir/core/parse_json.h"
#include "weir/core/text.h"
#include "weir/model/expr/json_parameter_internal.h"

namespace weir::model {
namespace {

Value number_value(double number) {
  if (std::isfinite(number)) {
    return number;
  }
  return std::isnan(number) ? "nan" : number > 0 ? "inf" : "-inf";
}

/// Refuses what JSON cannot carry: bytes that are no UTF-8.
std::string checked(const std::string& text, std::string_view field) {
  const bool ascii = std::none_of(text.begin(), text.end(),
                                  [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
  if (ascii) {
    return text;
  }
  try {
    parse_json(to_json(text));
  } catch (const Error&) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("{}: \"{}\" is no UTF-8, which JSON needs", field, printable(text)));
  }
  return text;
}

Value indices(const std::vector<std::int64_t>& numbers) {
  Value list = Value::array();
  for (const std::int64_t number : numbers) {
    list.push_back(number);
  }
  return list;
}

/// What an operation has beside its operands.
void add_fields(Value& value, const Node& node) {
  switch (node.op) {
    case Op::constant:
      value.set("value", number_value(node.value));
      if (node.kind.is_complex()) {
        value.set("imaginary", number_value(node.imaginary));
      }
      break;
    case Op::parameter:
      value.set("name", node.parameter->name);
      break;
    case Op::column:
      value.set("name", checked(node.name, "column"));
      break;
    case Op::momentum: {
      const auto component = static_cast<MomentumComponent>(node.index);
      value.set("name", checked(node.name, "momentum"));
      value.set("component", momentum_column("", component).substr(1));
      break;
    }
    case Op::power_integer:
      value.set("exponent", node.index);
      break;
    case Op::element:
      value.set("index", node.operands[0].kind().is_matrix() ? indices({node.index, node.column})
                                                             : indices({node.index}));
      break;
    case Op::matrix:
      value.set("rows", node.kind.rows);
      value.set("columns", node.kind.columns);
      break;
    case Op::call:
      value.set("function", node.function->name);
      break;
    default:
      break;
  }
}

Value node_value(const Node& node, const std::unordered_map<const Node*, std::int64_t>& places) {
  Value value = Value::object();
  value.set("op", name(node.op));
  add_fields(value, node);
  if (!node.operands.empty()) {
    std::vector<std::int64_t> operands;
    operands.reserve(node.operands.size());
    for (const Expr& operand : node.operands) {
      operands.push_back(places.at(&operand.node()));
    }
    value.set("operands", indices(operands));
  }
  if (!node.tags.empty()) {
    Value tags = Value::array();
    for (const std::string& tag : node.tags) {
      tags.push_back(checked(tag, "tag"));
    }
    value.set("tags", std::move(tags));
  }
  return value;
}

}  // namespace

Value json_form(std::span<const Expr> roots) {
  Value parameters = Value::array();
  for (const auto& parameter : parameters_of(roots)) {
    for (const std::string* text : {&parameter->unit, &parameter->latex, &parameter->description}) {
      checked(*text, parameter->name);
    }
    parameters.push_back(parameter_value(*parameter));
  }
  std::unordered_map<const Node*, std::int64_t> places;
  Value nodes = Value::array();
  for (const Node* node : operands_first(roots)) {
    nodes.push_back(node_value(*node, places));
    places.emplace(node, static_cast<std::int64_t>(places.size()));
  }
  std::vector<std::int64_t> ends;
  ends.reserve(roots.size());
  for (const Expr& root : roots) {
    ends.push_back(places.at(&root.node()));
  }
  Value document = Value::object();
  document.set("weir_expression", 1);
  document.set("parameters", std::move(parameters));
  document.set("nodes", std::move(nodes));
  document.set("roots", indices(ends));
  return document;
}

std::string print_json(std::span<const Expr> roots) {
  return to_json(json_form(roots));
}

std::vector<Expr> parse_json_form(std::string_view text,
                                  const std::vector<const ModelFunction*>& functions) {
  return read_json_form(parse_json(text), functions);
}

}  // namespace weir::model
