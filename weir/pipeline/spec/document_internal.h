#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "weir/core/error.h"
#include "weir/core/value.h"
#include "weir/op/operator_list.h"
#include "weir/pipeline/spec/spec.h"

namespace weir::pipeline {

/// The version of specs this program reads and writes, and of provenance files.
inline constexpr std::int64_t kSpecVersion = 1;
inline constexpr std::int64_t kProvenanceVersion = 1;

/// Bytes of a document.
inline constexpr std::int64_t kLongestDocument = std::int64_t{16} << 20;

/// The document as a value: unwrapped when it is a provenance file, translated when it is a
/// dspk_pipeline.
/// Errors: `invalid_spec` for syntax (line, column) and versions this program does not read.
Value read_document(std::string_view text, SpecLanguage language);

/// By the extension, else by how the text begins.
SpecLanguage language_of(const std::filesystem::path& path, std::string_view text);
Value parse_language(std::string_view text, SpecLanguage language);

/// Applies "node.field=value" to the document; paths are meant from the current folder. What cannot
/// be applied becomes a problem.
void apply_overrides(Value& document, const std::vector<std::string>& overrides,
                     const op::OperatorList& operators, std::vector<Problem>& problems);

/// Fills nodes, edges and execution of `spec` from the document; checks keys and shapes only.
void read_graph(const Value& document, Spec& spec, std::vector<Problem>& problems);
Execution read_execution(const Value& section, const std::filesystem::path& base,
                         std::vector<Problem>& problems);
Value write_execution(const Execution& execution);
std::vector<op::FieldInfo> execution_fields();

/// Makes the operators' fields that hold paths absolute and puts the documents that others name in
/// their place.
void resolve_files(Spec& spec, const op::OperatorList& operators, std::vector<Problem>& problems);

/// Checks every node's op and fields.
void check_nodes(const Spec& spec, const op::OperatorList& operators,
                 std::vector<Problem>& problems);
/// Checks what edges make of the nodes: cycles, missing and double inputs, dead ends, double
/// outputs. Which of two inputs is a signal and which are events is known in planning.
void check_graph(const Spec& spec, const op::OperatorList& operators,
                 std::vector<Problem>& problems);

/// "band (iir)": how problems name a node.
std::string label(const Node& node);

/// The fields of an op, built-in or listed; null when there is no such op.
const std::vector<op::FieldInfo>* fields_of(std::string_view op, const op::OperatorList& operators);

/// Where a `write` node's data will go, `{node}` put in and resolved; other placeholders stay.
std::string output_key(const Node& node, const std::filesystem::path& base);

}  // namespace weir::pipeline
