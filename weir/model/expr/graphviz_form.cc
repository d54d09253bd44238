#include "weir/model/expr/graphviz_form.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <unordered_map>

#include "weir/core/text.h"
#include "weir/model/expr/model_function.h"

namespace weir::model {
namespace {

std::string escaped(std::string_view label) {
  std::string out;
  for (const char c : printable(label)) {
    out += c == '"' || c == '\\' ? std::string{'\\', c} : std::string(1, c);
  }
  return out;
}

std::string constant_label(const Node& node) {
  return node.kind.is_complex() ? fmt::format("{} {:+}i", node.value, node.imaginary)
                                : fmt::format("{}", node.value);
}

std::string label_of(const Node& node) {
  switch (node.op) {
    case Op::constant:
      return constant_label(node);
    case Op::parameter:
      return node.parameter->name;
    case Op::column:
      return node.name;
    case Op::momentum:
      return momentum_column(node.name, static_cast<MomentumComponent>(node.index));
    case Op::power_integer:
      return fmt::format("power {}", node.index);
    case Op::element:
      return node.operands[0].kind().is_matrix()
                 ? fmt::format("element [{}, {}]", node.index, node.column)
                 : fmt::format("element [{}]", node.index);
    case Op::matrix:
      return fmt::format("matrix {}x{}", node.kind.rows, node.kind.columns);
    case Op::call:
      return std::string(node.function->name);
    default:
      return std::string(name(node.op));
  }
}

const char* shape_of(Op op) {
  switch (op) {
    case Op::constant:
      return "plaintext";
    case Op::parameter:
      return "ellipse";
    case Op::column:
    case Op::momentum:
      return "cds";
    default:
      return "box";
  }
}

}  // namespace

std::string print_graphviz(std::span<const Expr> roots) {
  std::string text = "digraph expression {\n  ordering=out;\n";
  std::unordered_map<const Node*, std::size_t> places;
  for (const Node* node : operands_first(roots)) {
    const std::size_t place = places.size();
    places.emplace(node, place);
    const std::string tags =
        node->tags.empty()
            ? ""
            : fmt::format("\\n({})", escaped(fmt::format("{}", fmt::join(node->tags, ", "))));
    text += fmt::format("  n{} [label=\"{}{}\", shape={}];\n", place, escaped(label_of(*node)),
                        tags, shape_of(node->op));
    for (const Expr& operand : node->operands) {
      text += fmt::format("  n{} -> n{};\n", place, places.at(&operand.node()));
    }
  }
  for (std::size_t i = 0; i < roots.size(); ++i) {
    text += fmt::format("  root{0} [label=\"root {0}\", shape=none];\n  root{0} -> n{1};\n", i,
                        places.at(&roots[i].node()));
  }
  return text + "}\n";
}

}  // namespace weir::model
