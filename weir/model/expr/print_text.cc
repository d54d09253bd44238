#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>
#include <string>
#include <unordered_set>

#include "weir/model/expr/model_function.h"
#include "weir/model/expr/text_form.h"
#include "weir/model/expr/text_tokens_internal.h"
#include "weir/model/expr/written_parts_internal.h"

namespace weir::model {
namespace {

/// Parts that lie deeper become definitions: far less than the reader takes.
constexpr int kDeepest = 40;
/// Parts used several times that are not longer are written again.
constexpr std::size_t kShortLeaf = 64;
constexpr std::size_t kShort = 8;

struct InfixForm {
  Op op;
  Binding binding;
  const char* symbol;
};

constexpr std::array kInfix = {
    InfixForm{Op::logical_or, kOr, " or "},    InfixForm{Op::logical_and, kAnd, " and "},
    InfixForm{Op::less, kComparison, " < "},   InfixForm{Op::less_equal, kComparison, " <= "},
    InfixForm{Op::equal, kComparison, " == "}, InfixForm{Op::add, kSum, " + "},
    InfixForm{Op::subtract, kSum, " - "},      InfixForm{Op::multiply, kProduct, "*"},
    InfixForm{Op::divide, kProduct, "/"},
};

std::string number_text(double value) {
  if (std::fabs(value) == std::numbers::pi) {
    return value < 0 ? "-pi" : "pi";
  }
  return std::isnan(value) ? "nan" : fmt::format("{}", value);
}

Part number_part(std::string text) {
  const int binding = text.starts_with('-') ? kSign : kValue;
  return {.text = std::move(text), .binding = binding};
}

Part constant_part(const Node& node) {
  if (!node.kind.is_complex()) {
    return number_part(number_text(node.value));
  }
  if (std::bit_cast<std::uint64_t>(node.value) == 0 && std::isfinite(node.imaginary)) {
    return number_part(fmt::format("{}i", node.imaginary));
  }
  return {fmt::format("complex({}, {})", number_text(node.value), number_text(node.imaginary))};
}

/// A constant that stands by itself: the reader takes a sign before it into it.
bool is_plain(const Node& node) {
  return node.op == Op::constant && node.tags.empty();
}

bool is_whole(std::string_view number) {
  return number.find_first_not_of("-0123456789") == number.npos;
}

bool fits_backticks(std::string_view name) {
  return std::none_of(name.begin(), name.end(), [](char c) {
    return c == '`' || static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
  });
}

/// The name bare or in backticks; empty where neither will do.
std::string written_name(const std::string& name) {
  if (is_identifier(name) && !is_reserved(name)) {
    return name;
  }
  return fits_backticks(name) ? fmt::format("`{}`", name) : std::string();
}

class Printer {
 public:
  explicit Printer(const Expr& root) : root_(root), parts_(root), taken_(names_in({&root, 1})) {
    for (const auto& parameter : parameters_of({&root, 1})) {
      parameters_.insert(parameter->name);
    }
  }

  std::string run() {
    for (const Node* node : operands_first({&root_, 1})) {
      Part part = composed(*node);
      if (!node->tags.empty()) {
        add_tags(part, node->tags);
      }
      if (node != &root_.node() && wants_name(*node, part)) {
        part = named(part.text);
      }
      parts_.put(*node, std::move(part));
    }
    return text_ + parts_.at(root_).text;
  }

 private:
  bool wants_name(const Node& node, const Part& part) const {
    const std::size_t small = is_leaf(node.op) ? kShortLeaf : kShort;
    const bool tiny = node.tags.empty() && part.text.size() <= small;
    return part.depth > kDeepest || (parts_.is_shared(node) && !tiny);
  }

  Part named(std::string_view value) {
    std::string name;
    do {
      name = fmt::format("t{}", ++last_name_);
    } while (taken_.contains(name));
    text_ += fmt::format("{} = {}\n", name, value);
    return {.text = std::move(name)};
  }

  static void add_tags(Part& part, const std::vector<std::string>& tags) {
    part.text.insert(0, "tag(");
    for (const std::string& tag : tags) {
      part.text += ", " + quoted(tag);
    }
    part.text += ')';
    part.binding = kValue;
    ++part.depth;
  }

  /// The text of an operand, in parentheses where it binds less than `least`.
  Part operand(const Expr& expr, int least) {
    Part part = parts_.take(expr);
    if (part.binding < least) {
      enclose(part);
    }
    return part;
  }
  /// One that an operator stands before: a sign in it is set apart.
  Part right_operand(const Expr& expr, int least) {
    Part part = operand(expr, least);
    if (part.text.starts_with('-')) {
      enclose(part);
    }
    return part;
  }
  static void enclose(Part& part) {
    part.text.insert(0, 1, '(');
    part.text += ')';
    part.binding = kValue;
    ++part.depth;
  }

  Part composed(const Node& node) {
    switch (node.op) {
      case Op::constant:
        return constant_part(node);
      case Op::parameter:
        return {written_name(node.parameter->name)};
      case Op::column:
        return column_part(node.name);
      case Op::momentum:
        return momentum_part(node);
      case Op::negate:
        return negated(node);
      case Op::logical_not:
        return prefixed("not ", operand(node.operands[0], kNot), kNot);
      case Op::power_integer:
        return infix(operand(node.operands[0], kValue), "^", {std::to_string(node.index)}, kPower);
      case Op::power:
        return power_part(node);
      case Op::element:
        return element_part(node);
      case Op::vector:
        return listed("[", node.operands, "]");
      case Op::matrix:
        return matrix_part(node);
      case Op::complex:
        return complex_part(node);
      case Op::call:
        return listed(std::string(node.function->name) + "(", node.operands, ")");
      default:
        break;
    }
    const auto* const form = std::find_if(kInfix.begin(), kInfix.end(),
                                          [&](const InfixForm& f) { return f.op == node.op; });
    if (form == kInfix.end()) {
      return listed(std::string(name(node.op)) + "(", node.operands, ")");
    }
    const int left = form->binding + (form->binding == kComparison ? 1 : 0);
    Part first = operand(node.operands[0], left);
    return infix(std::move(first), form->symbol, right_operand(node.operands[1], form->binding + 1),
                 form->binding);
  }

  static Part infix(Part left, const char* symbol, const Part& right, int binding) {
    left.text += symbol;
    left.text += right.text;
    left.binding = binding;
    left.depth = std::max(left.depth, right.depth + 1);
    return left;
  }

  static Part prefixed(const char* sign, Part part, int binding) {
    part.text.insert(0, sign);
    part.binding = binding;
    ++part.depth;
    return part;
  }

  Part negated(const Node& node) {
    Part part = right_operand(node.operands[0], kSign);
    const Node& inner = node.operands[0].node();
    if (is_plain(inner) && part.binding == kValue && !part.text.starts_with('(')) {
      enclose(part);
    }
    return prefixed("-", std::move(part), kSign);
  }

  Part power_part(const Node& node) {
    const Node& exponent = node.operands[1].node();
    if (is_plain(exponent) && is_whole(number_text(exponent.value))) {
      return listed("power(", node.operands, ")");
    }
    Part base = operand(node.operands[0], kValue);
    return infix(std::move(base), "^", right_operand(node.operands[1], kPower), kPower);
  }

  Part element_part(const Node& node) {
    const bool of_matrix = node.operands[0].kind().is_matrix();
    Part part = operand(node.operands[0], kValue);
    part.text += of_matrix ? fmt::format("[{}, {}]", node.index, node.column)
                           : fmt::format("[{}]", node.index);
    ++part.depth;
    return part;
  }

  Part listed(std::string opening, std::span<const Expr> items, const char* closing) {
    Part list{.text = std::move(opening)};
    const char* separator = "";
    for (const Expr& item : items) {
      const Part part = operand(item, kOr);
      list.text += separator;
      list.text += part.text;
      list.depth = std::max(list.depth, part.depth + 1);
      separator = ", ";
    }
    list.text += closing;
    return list;
  }

  Part matrix_part(const Node& node) {
    Part whole{.text = "["};
    const auto columns = static_cast<std::size_t>(node.kind.columns);
    for (std::size_t first = 0; first < node.operands.size(); first += columns) {
      const Part row = listed("[", std::span(node.operands).subspan(first, columns), "]");
      whole.text += first == 0 ? "" : ", ";
      whole.text += row.text;
      whole.depth = std::max(whole.depth, row.depth + 1);
    }
    whole.text += ']';
    return whole;
  }

  /// complex() of two plain numbers is read as one: parentheses keep the operation.
  Part complex_part(const Node& node) {
    if (!is_plain(node.operands[0].node()) || !is_plain(node.operands[1].node())) {
      return listed("complex(", node.operands, ")");
    }
    return {fmt::format("complex(({}), ({}))", number_text(node.operands[0].node().value),
                        number_text(node.operands[1].node().value)),
            kValue, 2};
  }

  Part column_part(const std::string& name) const {
    std::string written = parameters_.contains(name) ? std::string() : written_name(name);
    return {written.empty() ? fmt::format("column({})", quoted(name)) : std::move(written)};
  }

  static Part momentum_part(const Node& node) {
    const std::string full = momentum_column("", static_cast<MomentumComponent>(node.index));
    const std::string written = written_name(node.name);
    return {written.empty() ? fmt::format("momentum({}, \"{}\")", quoted(node.name), full.substr(1))
                            : written + full};
  }

  const Expr& root_;
  WrittenParts parts_;
  std::unordered_set<std::string> taken_;
  std::unordered_set<std::string> parameters_;
  std::string text_;  // definitions
  int last_name_ = 0;
};

}  // namespace

std::string print(const Expr& root) {
  return Printer(root).run();
}

}  // namespace weir::model
