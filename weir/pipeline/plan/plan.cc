#include "weir/pipeline/plan/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "weir/formats/replaced_output.h"
#include "weir/pipeline/plan/build_graph.h"
#include "weir/pipeline/plan/companions.h"
#include "weir/pipeline/plan/no_recording.h"
#include "weir/pipeline/plan/output_folder.h"
#include "weir/pipeline/plan/place_inputs.h"
#include "weir/pipeline/plan/plan_data.h"
#include "weir/pipeline/plan/resume_check.h"

namespace weir::pipeline {
namespace {
void check_execution(const Execution& execution) {
  if (execution.split != "exact") {
    throw Error(ErrorCode::unsupported,
                fmt::format("execution.split: only \"exact\" exists in this version, not \"{}\"",
                            execution.split));
  }
}

/// Null where only tables are read.
const Node* read_node(const Spec& spec) {
  const auto found = std::ranges::find(spec.nodes, "read", &Node::op);
  return found == spec.nodes.end() ? nullptr : &*found;
}

std::vector<Input> open_all(const PlanData& data, const Catalog& catalog,
                            std::vector<Problem>& problems) {
  const Node* reader = read_node(data.spec);
  if (reader == nullptr) {
    std::vector<Input> one;
    one.push_back(no_recording(data.spec));
    return one;
  }
  const Read read = read_schema().read(reader->params, reader->id, op::node_keys(), problems);
  throw_if_any(problems);
  return in_context("node " + reader->id, [&] {
    return open_inputs(read, data.spec.base, catalog.formats, data.options.opener);
  });
}

StreamInfo read_stream(const RecordingSource& source) {
  const RecordingInfo& info = source.info();
  StreamInfo stream;
  stream.rate = info.rate;
  stream.channels = info.channels;
  stream.segments = info.segments;
  stream.axis = info.axis;
  stream.type = source.stored_as_int16() ? SampleType::int16 : SampleType::float32;
  return stream;
}

std::filesystem::path one_name(const std::filesystem::path& path) {
  std::error_code failure;
  const auto found = std::filesystem::weakly_canonical(path, failure);
  return failure ? path : found;
}

/// What the paths of two outputs lack to differ.
std::string_view way_out(const PlanData& data, const std::string& node, const std::string& other) {
  if (node == other) {
    return data.options.output_dir
               ? "with several inputs the last part of the path needs {stem} or {input}, as "
                 "--output-dir keeps no other"
               : "with several inputs the path needs {stem} or {input}";
  }
  return data.options.output_dir
             ? "--output-dir keeps only the last part of a path, which must differ"
             : "give one of them another path";
}

/// Every file that comes with an output, itself first.
std::vector<std::filesystem::path> files_of(const PlannedOutput& output) {
  std::vector<std::filesystem::path> files{output.path};
  const auto add = [&](const std::filesystem::path& path) {
    const auto companions = formats::replacement_of(path).companions;
    files.insert(files.end(), companions.begin(), companions.end());
  };
  add(output.path);
  if (output.snippets) {
    files.push_back(formats::snippet_table_path(output.path));
    add(files.back());
  }
  return files;
}

/// Two outputs may not share a file, and none may be an input: those are returned.
std::set<std::filesystem::path> check_paths(const PlanData& data, std::vector<Problem>& problems) {
  std::map<std::filesystem::path, std::string> taken;
  std::set<std::filesystem::path> read;
  std::set<std::filesystem::path> read_too;
  for (const auto& input : data.inputs) {
    for (const auto& path : input.input.paths) {
      read.insert(one_name(path));
    }
  }
  for (const auto& input : data.inputs) {
    for (const auto& output : input.outputs) {
      for (const auto& file : files_of(output)) {
        const auto [first, fresh] = taken.emplace(one_name(file), output.node);
        if (!fresh) {
          problems.push_back({output.node, "path",
                              fmt::format("{} is written {}; {}", file.string(),
                                          first->second == output.node
                                              ? "twice"
                                              : fmt::format("by \"{}\" already", first->second),
                                          way_out(data, output.node, first->second))});
          break;  // What stands beside it is written twice too.
        }
        if (read.contains(first->first)) {
          read_too.insert(output.path);
          problems.push_back({output.node, "path",
                              fmt::format("{} is also an input; write elsewhere", file.string())});
        }
      }
    }
  }
  return read_too;
}

void check_output(const PlanData& data, InputPlan& input, const PlannedOutput& output,
                  const std::string& mended, std::vector<Problem>& problems) {
  try {
    if (!may_be_resumed(data, input, output)) {
      formats::check_output(output.path, output.overwrite());
      if (output.snippets) {
        formats::check_output(formats::snippet_table_path(output.path), output.overwrite());
      }
      if (!std::filesystem::exists(checkpoint_path(input))) {
        check_companions(output);  // A run that was killed may have cut its own short.
      }
    }
  } catch (const Error& error) {
    const std::string text =
        mended.empty() ? error.text() : fmt::format("{} ({})", error.text(), mended);
    problems.push_back({output.node, "path", text, error.code()});
  }
}

/// `read_too`: outputs that are inputs. That they exist needs no telling.
void check_outputs(PlanData& data, const std::set<std::filesystem::path>& read_too,
                   std::vector<Problem>& problems) {
  for (auto& input : data.inputs) {
    std::vector<std::string> mended;
    for (const auto& output : input.outputs) {
      mended.push_back(data.options.mend_outputs ? formats::mend_replacement(output.path)
                                                 : std::string());
      if (!mended.back().empty()) {
        input.input.warnings.push_back(mended.back());
      }
    }
    input.complete = already_complete(data, input);
    for (std::size_t i = 0; i < input.outputs.size() && !input.complete; ++i) {
      if (!read_too.contains(input.outputs[i].path)) {
        check_output(data, input, input.outputs[i], mended[i], problems);
      }
    }
  }
}

/// Files that operators read are inputs too: another content is another run.
void add_field_files(const Spec& spec, const Catalog& catalog, Input& input) {
  for (const Node& node : spec.nodes) {
    const op::Operator* op = catalog.operators.find(node.op);
    if (op == nullptr) {
      continue;
    }
    for (const auto& field : op->fields()) {
      const Value* value = node.params.find(field.name);
      if (field.holds != op::Holds::path || value == nullptr || !value->is_string()) {
        continue;
      }
      const std::filesystem::path path = value->as_string();
      std::error_code failure;
      if (std::filesystem::is_regular_file(path, failure) &&
          std::ranges::find(input.paths, path) == input.paths.end()) {
        input.paths.push_back(path);
      }
    }
  }
}

InputPlan plan_input(const PlanData& data, const Catalog& catalog, Input input, std::size_t cap,
                     std::vector<Problem>& problems) {
  InputPlan plan;
  plan.input = std::move(input);
  plan.graph.in = read_stream(*plan.input.source);
  if (plan.graph.in.channels.empty()) {
    throw Error(ErrorCode::invalid_spec, fmt::format("{} has no channels", plan.input.name));
  }
  const EventSources sources = open_event_sources(data.spec, catalog.formats, plan.input, problems);
  const NodeIndex index = build_graph(data.spec, catalog, sources, cap / 4, plan, problems);
  build_outputs(data.spec, catalog, data.options, {index, sources}, plan, problems);
  add_field_files(data.spec, catalog, plan.input);
  for (const auto& node : plan.graph.nodes) {
    plan.temporary_bytes += node.step->temporary_bytes();
  }
  return plan;
}
}  // namespace

Plan make_plan(const Spec& spec, const Catalog& catalog, const PlanOptions& options) {
  auto data = std::make_shared<PlanData>();
  data->spec = options.output_dir ? written_into(spec, *options.output_dir) : spec;
  data->canonical = canonical(data->spec, catalog.operators);
  data->options = options;
  check_execution(spec.execution);
  const std::size_t cap = in_context(
      "execution.memory", [&] { return MemoryBudget::parse(spec.execution.memory).cap(); });
  std::vector<Problem> problems;
  for (auto& input : open_all(*data, catalog, problems)) {
    data->inputs.push_back(plan_input(*data, catalog, std::move(input), cap, problems));
    throw_if_any(problems);
  }
  place_inputs(*data, cap);
  check_outputs(*data, check_paths(*data, problems), problems);
  throw_if_any(problems);
  for (const auto& input : data->inputs) {
    input.place.budget.require_fits();
    in_context(input.place.target.name, [&] { input.place.device_budget.require_fits(); });
  }
  return Plan(std::move(data));
}

}  // namespace weir::pipeline
