#include "weir/pipeline/spec/spec.h"

#include <fmt/format.h>

#include <iostream>
#include <iterator>

#include "weir/core/text.h"
#include "weir/pipeline/spec/document_internal.h"

namespace weir::pipeline {

void rethrow_naming(const std::string& file, const Error& error) {
  std::string text;
  for (const auto& line : split(error.text(), '\n')) {
    text += fmt::format("{}{}: {}", text.empty() ? "" : "\n", file, line);
  }
  throw Error(error.code(), text);
}

const Node* Spec::find(std::string_view id) const noexcept {
  for (const auto& node : nodes) {
    if (node.id == id) {
      return &node;
    }
  }
  return nullptr;
}

Spec parse_spec(std::string_view text, SpecLanguage language, const std::filesystem::path& base,
                const std::vector<std::string>& overrides, const op::OperatorList& operators) {
  Value document = read_document(text, language);
  Spec spec;
  spec.base = std::filesystem::absolute(base).lexically_normal();
  spec.text = text;
  std::vector<Problem> problems;
  apply_overrides(document, overrides, operators, problems);
  read_graph(document, spec, problems);
  resolve_files(spec, operators, problems);
  check_nodes(spec, operators, problems);
  check_graph(spec, operators, problems);
  throw_if_any(problems);
  return spec;
}

Spec load_spec(const std::filesystem::path& path, const std::vector<std::string>& overrides,
               const op::OperatorList& operators) {
  const bool piped = path == "-";
  const std::string text = piped ? std::string(std::istreambuf_iterator<char>(std::cin), {})
                                 : read_text_file(path.string(), kLongestDocument);
  const auto base =
      piped ? std::filesystem::current_path() : std::filesystem::absolute(path).parent_path();
  try {
    return parse_spec(text, language_of(path, text), base, overrides, operators);
  } catch (const Error& error) {
    rethrow_naming(piped ? "standard input" : path.string(), error);
  }
}

}  // namespace weir::pipeline
