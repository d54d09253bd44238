#include "weir/pipeline/plan/resume_check.h"

#include "weir/core/error.h"

namespace weir::pipeline {

std::filesystem::path checkpoint_path(const InputPlan& input) {
  WEIR_CHECK(!input.outputs.empty());
  std::filesystem::path path = input.outputs.front().path;
  path += ".weir-checkpoint";
  return path;
}

bool may_be_resumed(const PlanData& data, const InputPlan& input, const PlannedOutput& output) {
  std::error_code failure;
  return data.spec.execution.resume && std::filesystem::exists(checkpoint_path(input), failure) &&
         std::filesystem::exists(output.path, failure) &&
         !std::filesystem::exists(formats::partial_path(output.path), failure);
}

}  // namespace weir::pipeline
