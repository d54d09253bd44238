#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "weir/core/error.h"
#include "weir/core/value.h"
#include "weir/op/operator_list.h"

namespace weir::pipeline {

struct Node {
  std::string id;
  std::string op;
  Value params;  ///< The node's fields without `op` and `id`.
};

struct Edge {
  std::string from;
  std::string from_port;  ///< Empty for the only port.
  std::string to;
};

/// The `execution` section, defaults as in the spec's documentation.
struct Execution {
  std::string target = "auto";
  std::string memory = "auto";
  std::string temporary = "auto";  ///< Budget for temporary files.
  std::int64_t threads = 0;        ///< 0 for all.
  double chunk_s = 0;              ///< 0 for planned.
  bool fast = false;
  std::string split = "exact";
  bool resume = false;
  std::string temporary_dir;
};

/// A pipeline as written: a graph of nodes.
struct Spec {
  std::vector<Node> nodes;  ///< In the order of the document.
  std::vector<Edge> edges;
  Execution execution;
  std::filesystem::path base;  ///< What relative paths are resolved against.
  std::string text;            ///< The document as read.

  const Node* find(std::string_view id) const noexcept;
};

enum class SpecLanguage { json, toml };

/// Reads a document; `overrides` are "node.field=value" (value as JSON, else as a string) or
/// "execution.field=value", paths meant from the current folder. A provenance file
/// (`<output>.weir.json`) is read as the spec it holds. Errors: `invalid_spec` with every problem
/// of syntax, keys, types and limits, each with node and field; `not_found`, `io`.
Spec load_spec(const std::filesystem::path& path, const std::vector<std::string>& overrides,
               const op::OperatorList& operators);  ///< "-" is standard input.
/// Throws the error with the spec's name before each of its lines: for those found in planning.
[[noreturn]] void rethrow_naming(const std::string& file, const Error& error);
Spec parse_spec(std::string_view text, SpecLanguage language, const std::filesystem::path& base,
                const std::vector<std::string>& overrides, const op::OperatorList& operators);

/// The same pipeline with every default filled in, aliases and paths resolved (absolute), nodes as
/// an object, edges sorted. Two specs that run the same have the same canonical form.
Value canonical(const Spec& spec, const op::OperatorList& operators);

/// JSON Schema of the document, generated from the operators' fields.
Value spec_schema(const op::OperatorList& operators);

}  // namespace weir::pipeline
