#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

#include "weir/pipeline/spec/document_internal.h"

namespace weir::pipeline {
namespace {
std::string text_of(const Edge& edge) {
  return fmt::format("{}{}{} -> {}", edge.from, edge.from_port.empty() ? "" : ".", edge.from_port,
                     edge.to);
}

/// The nodes by place in the document, with their edges as indices.
struct Graph {
  std::vector<std::vector<std::size_t>> inputs;
  std::vector<std::vector<std::size_t>> outputs;
};

Graph make_graph(const Spec& spec, std::vector<Problem>& problems) {
  std::unordered_map<std::string_view, std::size_t> places;
  for (std::size_t i = 0; i < spec.nodes.size(); ++i) {
    places.emplace(spec.nodes[i].id, i);
  }
  Graph graph{std::vector<std::vector<std::size_t>>(spec.nodes.size()),
              std::vector<std::vector<std::size_t>>(spec.nodes.size())};
  std::map<std::tuple<std::string_view, std::string_view, std::string_view>, bool> seen;
  for (const auto& edge : spec.edges) {
    if (edge.from == edge.to) {
      problems.push_back(
          {"", "edges", fmt::format("{}: a node cannot feed itself", text_of(edge))});
      continue;
    }
    bool& again = seen[{edge.from, edge.from_port, edge.to}];
    if (again) {
      problems.push_back({"", "edges", fmt::format("{} is given twice", text_of(edge))});
      continue;
    }
    again = true;
    graph.outputs[places.at(edge.from)].push_back(places.at(edge.to));
    graph.inputs[places.at(edge.to)].push_back(places.at(edge.from));
  }
  return graph;
}

/// Depth first; every cycle is reported once, by the nodes on it.
class CycleFinder {
 public:
  CycleFinder(const Spec& spec, const Graph& graph, std::vector<Problem>& problems)
      : spec_(spec), graph_(graph), problems_(problems), colour_(spec.nodes.size(), untouched) {}

  void find() {
    for (std::size_t i = 0; i < colour_.size(); ++i) {
      if (colour_[i] == untouched) {
        walk(i);
      }
    }
  }

 private:
  enum Colour : char { untouched, on_path, done };

  void walk(std::size_t root) {
    std::vector<std::size_t> next{0};
    path_ = {root};
    colour_[root] = on_path;
    while (!path_.empty()) {
      const auto& outputs = graph_.outputs[path_.back()];
      if (next.back() == outputs.size()) {
        colour_[path_.back()] = done;
        path_.pop_back();
        next.pop_back();
        continue;
      }
      const std::size_t to = outputs[next.back()++];
      if (colour_[to] == on_path) {
        report(to);
      } else if (colour_[to] == untouched) {
        colour_[to] = on_path;
        path_.push_back(to);
        next.push_back(0);
      }
    }
  }

  void report(std::size_t first) {
    std::vector<std::string_view> ids;
    for (auto at = std::find(path_.begin(), path_.end(), first); at != path_.end(); ++at) {
      ids.emplace_back(spec_.nodes[*at].id);
    }
    ids.emplace_back(spec_.nodes[first].id);
    problems_.push_back(
        {"", "edges", fmt::format("the nodes form a cycle: {}", fmt::join(ids, " -> "))});
  }

  const Spec& spec_;
  const Graph& graph_;
  std::vector<Problem>& problems_;
  std::vector<Colour> colour_;
  std::vector<std::size_t> path_;
};

bool is_source(const Node& node) {
  return node.op == "read" || node.op == "read_events";
}

/// A signal, and events beside it where the operator takes them.
std::size_t most_inputs(const Node& node, const op::OperatorList& operators) {
  const op::Operator* op = operators.find(node.op);
  return op != nullptr && op->takes_events() != op::TakesEvents::no ? 2 : 1;
}

void check_inputs(const Spec& spec, const Graph& graph, const op::OperatorList& operators,
                  std::vector<Problem>& problems) {
  for (std::size_t i = 0; i < spec.nodes.size(); ++i) {
    const Node& node = spec.nodes[i];
    const auto& inputs = graph.inputs[i];
    if (is_source(node)) {
      if (!inputs.empty()) {
        problems.push_back(
            {label(node), "",
             fmt::format("takes no input, but \"{}\" feeds it", spec.nodes[inputs[0]].id)});
      }
    } else if (inputs.empty()) {
      problems.push_back({label(node), "", "has no input; add an edge that leads to it"});
    } else if (const auto most = most_inputs(node, operators); inputs.size() > most) {
      std::vector<std::string_view> ids;
      for (const auto from : inputs) {
        ids.emplace_back(spec.nodes[from].id);
      }
      problems.push_back(
          {label(node), "",
           fmt::format("takes {}, but {} feed it",
                       most == 1 ? "one input" : "one signal and the events of one node",
                       fmt::join(ids, ", "))});
    }
  }
}

void check_outputs(const Spec& spec, const Graph& graph, std::vector<Problem>& problems) {
  for (std::size_t i = 0; i < spec.nodes.size(); ++i) {
    const Node& node = spec.nodes[i];
    const auto& outputs = graph.outputs[i];
    if (node.op == "write" && !outputs.empty()) {
      problems.push_back(
          {label(node), "",
           fmt::format("has no output, but \"{}\" expects one", spec.nodes[outputs[0]].id)});
    }
    if (node.op != "write" && outputs.empty()) {
      problems.push_back({label(node), "", "leads to no write; add an edge from it"});
    }
  }
}

void check_reads(const Spec& spec, std::vector<Problem>& problems) {
  std::vector<std::string_view> reads;
  for (const auto& node : spec.nodes) {
    if (node.op == "read") {
      reads.emplace_back(node.id);
    }
  }
  if (reads.empty() && std::none_of(spec.nodes.begin(), spec.nodes.end(), is_source)) {
    problems.push_back({"", "nodes", "a pipeline needs a read"});
  }
  if (reads.size() > 1) {
    problems.push_back({"", "nodes",
                        fmt::format("{} are all reads; this version takes one, whose path may list "
                                    "many files for join",
                                    fmt::join(reads, ", "))});
  }
}

void check_paths(const Spec& spec, std::vector<Problem>& problems) {
  std::map<std::string, std::string> taken;
  for (const auto& node : spec.nodes) {
    if (node.op != "write") {
      continue;
    }
    const std::string path = output_key(node, spec.base);
    if (path.empty()) {
      continue;
    }
    const auto [first, fresh] = taken.emplace(path, node.id);
    if (!fresh) {
      problems.push_back(
          {label(node), "path", fmt::format("\"{}\" writes to {} already", first->second, path)});
    }
  }
}
}  // namespace

void check_graph(const Spec& spec, const op::OperatorList& operators,
                 std::vector<Problem>& problems) {
  if (spec.nodes.empty()) {
    if (problems.empty()) {
      problems.push_back({"", "nodes", "a pipeline needs a read and a write"});
    }
    return;
  }
  const Graph graph = make_graph(spec, problems);
  CycleFinder(spec, graph, problems).find();
  check_reads(spec, problems);
  check_inputs(spec, graph, operators, problems);
  check_outputs(spec, graph, problems);
  check_paths(spec, problems);
}

}  // namespace weir::pipeline
