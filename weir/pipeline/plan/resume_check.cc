#include "weir/pipeline/plan/resume_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "weir/compute/target.h"
#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/core/version.h"
#include "weir/formats/json.h"
#include "weir/formats/replaced_output.h"
#include "weir/pipeline/plan/companions.h"

namespace weir::pipeline {
namespace {
/// How the work is cut and where it is written from may differ between two starts of one run; what
/// is computed may not.
Value without_freedoms(Value spec) {
  if (Value* execution = spec.find("execution")) {
    for (const char* free :
         {"threads", "memory", "chunk_s", "temporary", "temporary_dir", "resume"}) {
      execution->set(free, nullptr);
    }
  }
  return spec;
}

/// The identity of the run that wrote a provenance, or null when it tells of none.
Value identity_in(const std::filesystem::path& provenance) {
  try {
    const Value record = formats::parse_json(read_text_file(provenance.string()));
    const std::string& program = record.at("program").as_string();
    constexpr std::string_view kName = "weir ";
    Value identity = Value::object();
    identity.set("spec", without_freedoms(record.at("spec")));
    identity.set("program version",
                 program.starts_with(kName) ? program.substr(kName.size()) : program);
    identity.set("target", record.at("target"));
    identity.set("instruction set", record.at("device"));
    identity.set("input", record.at("input"));
    return identity;
  } catch (const Error&) {
    return {};  // Missing or not ours: not this run's.
  }
}
}  // namespace

std::filesystem::path checkpoint_path(const InputPlan& input) {
  WEIR_CHECK(!input.outputs.empty());
  return formats::beside_output(input.outputs.front().path, ".weir-checkpoint");
}

bool may_be_resumed(const PlanData& data, const InputPlan& input, const PlannedOutput& output) {
  std::error_code failure;
  return data.spec.execution.resume && std::filesystem::exists(checkpoint_path(input), failure) &&
         std::filesystem::exists(output.path, failure) &&
         !std::filesystem::exists(formats::partial_path(output.path), failure);
}

std::string place_description(const Placement& place) {
  const std::string cpu = compute::cpu_description();
  return place.uses_device()
             ? fmt::format("{}, {}, {}", place.target.device, place.target.driver, cpu)
             : cpu;
}

std::string run_identity(const PlanData& data, const InputPlan& input, const Placement& place) {
  Value identity = Value::object();
  identity.set("spec", without_freedoms(data.canonical));
  identity.set("program version", std::string(version()));
  identity.set("target", place.target.name);
  identity.set("instruction set", place_description(place));
  Value files = Value::array();
  for (const auto& path : input.input.paths) {
    files.push_back(input_identity(path));
  }
  identity.set("input", files);
  return to_json(identity);
}

bool already_complete(const PlanData& data, const InputPlan& input) {
  std::error_code failure;
  if (!data.spec.execution.resume || input.outputs.empty() ||
      std::filesystem::exists(checkpoint_path(input), failure)) {
    return false;
  }
  const bool all_stand =
      std::all_of(input.outputs.begin(), input.outputs.end(), [&](const PlannedOutput& output) {
        return !output.overwrite() && std::filesystem::exists(output.path, failure) &&
               std::ranges::all_of(companions_of(output), [&](const auto& file) {
                 return std::filesystem::exists(file, failure);
               });
      });
  if (!all_stand) {
    return false;
  }
  const Value ours = formats::parse_json(run_identity(data, input, input.place));
  return std::all_of(input.outputs.begin(), input.outputs.end(), [&](const PlannedOutput& output) {
    return identity_in(formats::provenance_path(output.path)) == ours;
  });
}

}  // namespace weir::pipeline
