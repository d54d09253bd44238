#include <fmt/format.h>

#include "weir/core/memory_budget.h"
#include "weir/op/schema.h"
#include "weir/pipeline/input/path_pattern.h"
#include "weir/pipeline/spec/document_internal.h"

namespace weir::pipeline {
namespace {
const op::Schema<Execution>& execution_schema() {
  using op::field;
  static const op::Schema<Execution> kSchema{
      field("target", &Execution::target,
            {.doc = "Where to compute: auto, cpu, cuda, cuda:1, opencl:0; \"cuda:0,cuda:1\" or "
                    "\"cuda:*\" share "
                    "the inputs out among several devices."}),
      field("memory", &Execution::memory,
            {.doc = "Cap: auto, a size such as 2 GiB, or 70% available."}),
      field("temporary", &Execution::temporary, {.doc = "Cap for temporary files, as memory."}),
      field("threads", &Execution::threads, {.min = 0, .max = 4096, .doc = "0 for all."}),
      field(
          "chunk_s", &Execution::chunk_s,
          {.unit = "s",
           .min = 0,
           .doc = "Length of a block; 0 for planned. A device takes several short ones at once."}),
      field("fast", &Execution::fast, {.doc = "Allow kernels that differ by rounding."}),
      field("split", &Execution::split,
            {.doc = "How time is split over workers: exact keeps every bit."}),
      field("resume", &Execution::resume,
            {.doc = "Write checkpoints and continue from a matching one."}),
      field("temporary_dir", &Execution::temporary_dir,
            {.holds = op::Holds::path,
             .doc = "Folder for temporary files; by default the system's."})};
  return kSchema;
}

void check_size(const std::string& text, const std::string& field, std::vector<Problem>& problems) {
  if (text == "auto") {
    return;
  }
  try {
    // The share of any amount shows whether the text is well formed.
    parse_bytes(text, std::size_t{1} << 40);
  } catch (const Error& error) {
    problems.push_back({"", field, error.text(), error.code()});
  }
}
}  // namespace

std::vector<op::FieldInfo> execution_fields() {
  return execution_schema().describe();
}

Execution read_execution(const Value& section, const std::filesystem::path& base,
                         std::vector<Problem>& problems) {
  std::vector<Problem> found;
  Execution execution = execution_schema().read(section, "", {}, found);
  for (auto& problem : found) {
    const Value* given = section.find(problem.field);
    if ((problem.field == "memory" || problem.field == "temporary") && given->is_number()) {
      problem.text = fmt::format("{} has no unit; write \"2 GiB\", \"512 MB\" or \"70% available\"",
                                 to_json(*given));
    }
  }
  check_size(execution.memory, "memory", found);
  check_size(execution.temporary, "temporary", found);
  if (execution.split == "approximate") {
    found.push_back({"", "split", "this version splits exactly only; \"approximate\" comes later",
                     ErrorCode::unsupported});
  } else if (execution.split != "exact") {
    found.push_back({"", "split", fmt::format("\"{}\" is not one of: exact", execution.split)});
  }
  if (!execution.temporary_dir.empty()) {
    execution.temporary_dir = resolved_path(execution.temporary_dir, base).string();
  }
  for (auto& problem : found) {
    problem.field = problem.field.empty() ? "execution" : "execution." + problem.field;
    problems.push_back(std::move(problem));
  }
  return execution;
}

Value write_execution(const Execution& execution) {
  return execution_schema().write(execution);
}

}  // namespace weir::pipeline
