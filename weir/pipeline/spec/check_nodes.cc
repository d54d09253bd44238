#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "weir/formats/raw_options.h"
#include "weir/pipeline/input/channel_selection.h"
#include "weir/pipeline/input/path_pattern.h"
#include "weir/pipeline/input/read_events_node.h"
#include "weir/pipeline/input/read_node.h"
#include "weir/pipeline/spec/document_internal.h"
#include "weir/pipeline/spec/write_node.h"

namespace weir::pipeline {
namespace {
void check_placeholders(const std::string& path, const std::string& node,
                        std::vector<Problem>& problems) {
  for (auto open = path.find('{'); open != std::string::npos; open = path.find('{', open + 1)) {
    const auto close = path.find('}', open);
    const auto word = path.substr(open, close == std::string::npos ? close : close - open + 1);
    if (word != "{input}" && word != "{stem}" && word != "{node}") {
      problems.push_back(
          {node, "path",
           fmt::format("\"{}\" cannot be filled in; known: {{input}}, {{stem}}, {{node}}", word)});
    }
  }
}

void check_write(const Write& write, const std::string& node, std::vector<Problem>& problems) {
  if (write.path.empty()) {
    problems.push_back({node, "path", "is empty"});
  }
  if (write.path.find('\0') != std::string::npos) {
    problems.push_back({node, "path", "holds a zero character"});
  }
  check_placeholders(write.path, node, problems);
  try {
    check_selection(write.channels);
  } catch (const Error& error) {
    problems.push_back({node, "channels", error.text(), error.code()});
  }
  if (write.gain && write.dtype != WriteType::int16) {
    problems.push_back({node, "gain",
                        "belongs to int16 output; float32 holds physical values (gain 1), "
                        "stored the input's"});
  }
}

void check_unknown_op(const Node& node, const op::OperatorList& operators,
                      std::vector<Problem>& problems) {
  std::vector<std::string> known = operators.names();
  known.insert(known.end(), {"read", "read_events", "write"});
  const auto nearest = nearest_word(node.op, known);
  problems.push_back(
      {node.id, "op",
       nearest ? fmt::format("\"{}\" is no operator; did you mean \"{}\"?", node.op, *nearest)
               : fmt::format("\"{}\" is no operator; known: {}", node.op, fmt::join(known, ", "))});
}

/// What `raw` describes is often written beside it.
void point_to_raw(const Node& node, std::vector<Problem>& problems, std::size_t first) {
  const auto& keys = formats::RawOptions::keys();
  for (std::size_t i = first; i < problems.size(); ++i) {
    const std::string& key = problems[i].field;
    const bool of_raw = std::find(keys.begin(), keys.end(), key) != keys.end() &&
                        key != "channels";  // A field of read too.
    if (of_raw) {
      problems[i].text = fmt::format(
          "is a field of raw, for files that do not say it: raw = {{{0} = …}}, or --set "
          "{1}.raw.{0}=…",
          key, node.id);
    }
  }
}

void check_node(const Node& node, const Spec& spec, const op::OperatorList& operators,
                std::vector<Problem>& problems) {
  const auto before = problems.size();
  if (node.op == "read") {
    const Read read = read_schema().read(node.params, label(node), op::node_keys(), problems);
    point_to_raw(node, problems, before);
    if (problems.size() == before) {
      check_read(read, label(node), problems);
    }
  } else if (node.op == "read_events") {
    const ReadEvents read =
        read_events_schema().read(node.params, label(node), op::node_keys(), problems);
    if (problems.size() == before) {
      const bool alone = std::ranges::find(spec.nodes, "read", &Node::op) == spec.nodes.end();
      check_read_events(read, alone, label(node), problems);
    }
  } else if (node.op == "write") {
    const Write write = write_schema().read(node.params, label(node), op::node_keys(), problems);
    if (problems.size() == before) {
      check_write(write, label(node), problems);
    }
  } else if (const op::Operator* found = operators.find(node.op)) {
    found->check(node.params, label(node), problems);
  } else {
    check_unknown_op(node, operators, problems);
  }
}
}  // namespace

void check_nodes(const Spec& spec, const op::OperatorList& operators,
                 std::vector<Problem>& problems) {
  for (const auto& node : spec.nodes) {
    if (!node.op.empty()) {
      check_node(node, spec, operators, problems);
    }
  }
}

const std::vector<op::FieldInfo>* fields_of(std::string_view op,
                                            const op::OperatorList& operators) {
  static const auto kRead = read_schema().describe();
  static const auto kReadEvents = read_events_schema().describe();
  static const auto kWrite = write_schema().describe();
  if (op == "read") {
    return &kRead;
  }
  if (op == "read_events") {
    return &kReadEvents;
  }
  if (op == "write") {
    return &kWrite;
  }
  const op::Operator* found = operators.find(op);
  return found == nullptr ? nullptr : &found->fields();
}

std::string output_key(const Node& node, const std::filesystem::path& base) {
  const Value* path = node.params.find("path");
  if (path == nullptr || !path->is_string() || path->as_string().empty()) {
    return "";
  }
  std::string text = path->as_string();
  constexpr std::string_view kNode = "{node}";
  for (auto at = text.find(kNode); at != std::string::npos;
       at = text.find(kNode, at + node.id.size())) {
    text.replace(at, kNode.size(), node.id);
  }
  return resolved_path(text, base).string();
}

}  // namespace weir::pipeline
