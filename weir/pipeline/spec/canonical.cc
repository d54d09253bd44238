#include <algorithm>

#include "weir/pipeline/input/channel_selection.h"
#include "weir/pipeline/input/input.h"
#include "weir/pipeline/input/path_pattern.h"
#include "weir/pipeline/input/read_events_node.h"
#include "weir/pipeline/spec/document_internal.h"
#include "weir/pipeline/spec/write_node.h"

namespace weir::pipeline {
namespace {
Value write_read(const Node& node, const std::filesystem::path& base) {
  std::vector<Problem> problems;
  Read read = read_schema().read(node.params, label(node), op::node_keys(), problems);
  throw_if_any(problems);
  for (auto& path : read.path) {
    path = absolute_pattern(path, base);
  }
  read.channels = canonical_selection(read.channels);
  return read_schema().write(read);
}

Value write_read_events(const Node& node, const std::filesystem::path& base) {
  std::vector<Problem> problems;
  ReadEvents read = read_events_schema().read(node.params, label(node), op::node_keys(), problems);
  throw_if_any(problems);
  if (!read.path.empty()) {
    read.path = resolved_path(read.path, base).string();
  }
  return read_events_schema().write(read);
}

Value write_write(const Node& node, const std::filesystem::path& base) {
  std::vector<Problem> problems;
  Write write = write_schema().read(node.params, label(node), op::node_keys(), problems);
  throw_if_any(problems);
  write.path = resolved_path(write.path, base).string();
  write.channels = canonical_selection(write.channels);
  return write_schema().write(write);
}

Value write_params(const Node& node, const Spec& spec, const op::OperatorList& operators) {
  if (node.op == "read") {
    return write_read(node, spec.base);
  }
  if (node.op == "read_events") {
    return write_read_events(node, spec.base);
  }
  if (node.op == "write") {
    return write_write(node, spec.base);
  }
  const op::Operator* found = operators.find(node.op);
  WEIR_CHECK(found != nullptr);
  return in_context("node " + label(node), [&] { return found->canonical(node.params); });
}

/// `op`, then the fields that have a value: an absent field and a null one say the same.
Value write_node(const Node& node, const Spec& spec, const op::OperatorList& operators) {
  Value object = Value::object();
  object.set("op", node.op);
  const Value params = write_params(node, spec, operators);
  for (const auto& [key, value] : params.as_object()) {
    if (!value.is_null()) {
      object.set(key, value);
    }
  }
  return object;
}
}  // namespace

Value canonical(const Spec& spec, const op::OperatorList& operators) {
  std::vector<const Node*> nodes;
  nodes.reserve(spec.nodes.size());
  for (const auto& node : spec.nodes) {
    nodes.push_back(&node);
  }
  std::sort(nodes.begin(), nodes.end(), [](const Node* a, const Node* b) { return a->id < b->id; });
  Value by_id = Value::object();
  for (const Node* node : nodes) {
    by_id.set(node->id, write_node(*node, spec, operators));
  }
  std::vector<std::pair<std::string, std::string>> edges;
  edges.reserve(spec.edges.size());
  for (const auto& edge : spec.edges) {
    edges.emplace_back(edge.from_port.empty() ? edge.from : edge.from + "." + edge.from_port,
                       edge.to);
  }
  std::sort(edges.begin(), edges.end());
  Value pairs = Value::array();
  for (const auto& [from, to] : edges) {
    pairs.push_back(Value::Array{from, to});
  }
  Value document = Value::object();
  document.set("weir_pipeline", kSpecVersion);
  document.set("nodes", by_id);
  document.set("edges", pairs);
  document.set("execution", write_execution(spec.execution));
  return document;
}

}  // namespace weir::pipeline
