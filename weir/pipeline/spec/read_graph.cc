#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "weir/core/text.h"
#include "weir/pipeline/spec/document_internal.h"

namespace weir::pipeline {
namespace {
const std::vector<std::string> kSections{"weir_pipeline", "nodes", "edges", "execution"};

bool is_good_id(std::string_view id) {
  const auto good = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  };
  return !id.empty() && std::all_of(id.begin(), id.end(), good);
}

/// Reads nodes one by one; a node whose id is usable is kept whatever else is wrong with it, so
/// that edges naming it are not called wrong too.
class NodeReader {
 public:
  NodeReader(Spec& spec, std::vector<Problem>& problems) : spec_(spec), problems_(problems) {}

  /// `place`: "nodes: a name" or "nodes[3].id", for what has no name.
  void read(std::string id, const std::string& place, const Value& fields) {
    if (id.empty()) {
      problems_.push_back(
          {"", place, "is empty; call the node by a name of letters, digits, \"_\" and \"-\""});
      return;
    }
    if (!is_good_id(id) || id == "execution") {
      problems_.push_back({id, "id",
                           id == "execution" ? "is the name of a section; choose another"
                                             : "must be made of letters, digits, \"_\" and \"-\""});
    }
    if (!ids_.insert(id).second) {
      problems_.push_back({id, "id", "two nodes have this id"});
      return;
    }
    Node node{std::move(id), "", Value::object()};
    if (fields.is_object()) {
      read_fields(node, fields.as_object());
    } else {
      problems_.push_back(
          {node.id, "", fmt::format("expected an object with op, found {}", fields.type_name())});
    }
    spec_.nodes.push_back(std::move(node));
  }

 private:
  void read_fields(Node& node, const Value::Object& fields) {
    bool named = false;
    for (const auto& [key, value] : fields) {
      if (key == "op") {
        named = true;
        if (value.is_string()) {
          node.op = value.as_string();
        } else {
          problems_.push_back(
              {node.id, "op", fmt::format("expected string, found {}", value.type_name())});
        }
      } else if (key == "id") {
        if (!(value.is_string() && value.as_string() == node.id)) {
          problems_.push_back({node.id, "id", "differs from the node's key"});
        }
      } else {
        node.params.set(key, value);
      }
    }
    if (!named) {
      problems_.push_back({node.id, "op", "is required"});
    }
  }

  Spec& spec_;
  std::vector<Problem>& problems_;
  std::unordered_set<std::string> ids_;
};

void read_nodes(const Value* nodes, Spec& spec, std::vector<Problem>& problems) {
  NodeReader reader(spec, problems);
  if (nodes == nullptr || !(nodes->is_object() || nodes->is_array())) {
    problems.push_back({"", "nodes",
                        nodes == nullptr ? std::string("is required")
                                         : fmt::format("expected an object or an array, found {}",
                                                       nodes->type_name())});
    return;
  }
  if (nodes->is_object()) {
    for (const auto& [id, fields] : nodes->as_object()) {
      reader.read(id, "nodes: a name", fields);
    }
    return;
  }
  for (std::size_t i = 0; i < nodes->as_array().size(); ++i) {
    const Value& fields = nodes->as_array()[i];
    const Value* id = fields.find("id");
    if (id == nullptr || !id->is_string()) {
      problems.push_back({"", fmt::format("nodes[{}].id", i),
                          id == nullptr ? "is required in an array of nodes" : "must be a string"});
      continue;
    }
    reader.read(id->as_string(), fmt::format("nodes[{}].id", i), fields);
  }
}

/// One end of an edge: the node it names, if any.
const Node* end_of(const Spec& spec, const std::string& text, const std::string& place,
                   std::vector<Problem>& problems) {
  const std::string id = text.substr(0, text.find('.'));
  if (const Node* node = spec.find(id)) {
    return node;
  }
  std::vector<std::string> ids;
  ids.reserve(spec.nodes.size());
  for (const auto& node : spec.nodes) {
    ids.push_back(node.id);
  }
  const auto nearest = nearest_word(id, ids);
  problems.push_back({"", place,
                      fmt::format("no node is called \"{}\"{}", id,
                                  nearest ? fmt::format("; did you mean \"{}\"?", *nearest) : "")});
  return nullptr;
}

void read_edge(const Value& pair, const std::string& place, Spec& spec,
               std::vector<Problem>& problems) {
  const bool good = pair.is_array() && pair.as_array().size() == 2 &&
                    pair.as_array()[0].is_string() && pair.as_array()[1].is_string();
  if (!good) {
    problems.push_back(
        {"", place, fmt::format("expected [\"from\", \"to\"], found {}", to_json(pair))});
    return;
  }
  const std::string& from = pair.as_array()[0].as_string();
  const std::string& to = pair.as_array()[1].as_string();
  const Node* source = end_of(spec, from, place, problems);
  const Node* target = end_of(spec, to, place, problems);
  const auto dot = from.find('.');
  if (to.find('.') != std::string::npos || (dot != std::string::npos && dot + 1 == from.size())) {
    problems.push_back({"", place,
                        to.find('.') != std::string::npos
                            ? fmt::format("\"{}\": a node has one input, which has no name", to)
                            : fmt::format("\"{}\": the port's name is missing", from)});
    return;
  }
  if (source != nullptr && target != nullptr) {
    spec.edges.push_back(
        {source->id, dot == std::string::npos ? "" : from.substr(dot + 1), target->id});
  }
}

void read_edges(const Value& document, Spec& spec, std::vector<Problem>& problems) {
  const Value* edges = document.find("edges");
  if (edges == nullptr || edges->is_null()) {
    const Value* nodes = document.find("nodes");
    if (nodes != nullptr && nodes->is_array()) {
      for (std::size_t i = 1; i < spec.nodes.size(); ++i) {
        spec.edges.push_back({spec.nodes[i - 1].id, "", spec.nodes[i].id});
      }
    } else if (nodes != nullptr && nodes->is_object()) {
      problems.push_back({"", "edges", "is required unless nodes are an array (then one chain)"});
    }
    return;
  }
  if (!edges->is_array()) {
    problems.push_back(
        {"", "edges",
         fmt::format("expected a list of [\"from\", \"to\"], found {}", edges->type_name())});
    return;
  }
  for (std::size_t i = 0; i < edges->as_array().size(); ++i) {
    read_edge(edges->as_array()[i], fmt::format("edges[{}]", i), spec, problems);
  }
}
}  // namespace

std::string label(const Node& node) {
  return node.op.empty() ? node.id : fmt::format("{} ({})", node.id, node.op);
}

void read_graph(const Value& document, Spec& spec, std::vector<Problem>& problems) {
  for (const auto& [key, value] : document.as_object()) {
    // Editors look for "$schema".
    if (key != "$schema" && std::find(kSections.begin(), kSections.end(), key) == kSections.end()) {
      const auto nearest = nearest_word(key, kSections);
      problems.push_back(
          {"", key,
           nearest ? fmt::format("unknown key; did you mean \"{}\"?", *nearest)
                   : std::string("unknown key; known: weir_pipeline, nodes, edges, execution")});
    }
  }
  read_nodes(document.find("nodes"), spec, problems);
  read_edges(document, spec, problems);
  if (const Value* section = document.find("execution")) {
    spec.execution = read_execution(*section, spec.base, problems);
  }
}

}  // namespace weir::pipeline
