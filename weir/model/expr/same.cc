#include "weir/model/expr/same.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <vector>

namespace weir::model {
namespace {

/// A node's content as bytes: two nodes are the same when their keys are equal.
class Key {
 public:
  template <class Number>
    requires std::is_arithmetic_v<Number> || std::is_enum_v<Number>
  void add(Number number) {
    const auto bytes = std::bit_cast<std::array<char, sizeof number>>(number);
    bytes_.append(bytes.begin(), bytes.end());
  }
  void add_real(double value) {
    add(std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value);
  }
  void add_text(std::string_view text) {
    add(text.size());
    bytes_ += text;
  }
  void add_optional(const std::optional<double>& value) {
    add(value.has_value());
    add_real(value.value_or(0));
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

void add_parameter(Key& key, const Parameter& p) {
  for (const std::string* text : {&p.name, &p.unit, &p.latex, &p.description}) {
    key.add_text(*text);
  }
  for (const auto* value :
       {&p.initial, &p.initial_lower, &p.initial_upper, &p.lower, &p.upper, &p.scale}) {
    key.add_optional(*value);
  }
  key.add(p.periodic);
  key.add(p.fixed);
}

/// Gives equal nodes equal numbers.
class Classes {
 public:
  std::size_t of(const Expr& root) {
    for (const Node* node : operands_first({&root, 1})) {
      if (!known_.contains(node)) {
        const std::size_t next = classes_.size();
        known_.emplace(node, classes_.emplace(key_of(*node), next).first->second);
      }
    }
    return known_.at(&root.node());
  }

 private:
  std::string key_of(const Node& node) const {
    Key key;
    key.add(node.op);
    key.add(node.kind.element);
    key.add(node.operands.size());
    for (const Expr& operand : node.operands) {
      key.add(known_.at(&operand.node()));
    }
    key.add(node.index);
    key.add(node.column);
    if (node.op == Op::constant) {
      key.add_real(node.value);
      key.add_real(node.imaginary);
    } else if (node.op == Op::vector || node.op == Op::matrix) {
      key.add(node.kind.rows);
      key.add(node.kind.columns);
    } else if (node.op == Op::call) {
      key.add(std::bit_cast<std::uintptr_t>(node.function));
    } else if (node.op == Op::parameter) {
      add_parameter(key, *node.parameter);
    } else {
      key.add_text(node.name);
    }
    key.add(node.tags.size());
    for (const std::string& tag : node.tags) {
      key.add_text(tag);
    }
    return key.take();
  }

  std::unordered_map<const Node*, std::size_t> known_;
  std::unordered_map<std::string, std::size_t> classes_;
};

}  // namespace

bool same(const Expr& a, const Expr& b) {
  Classes classes;
  return classes.of(a) == classes.of(b);
}

}  // namespace weir::model
