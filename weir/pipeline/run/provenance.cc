#include "weir/pipeline/run/provenance.h"

#include <fmt/format.h>
#include <tbb/version.h>

#include "weir/core/version.h"
#include "weir/pipeline/plan/resume_check.h"

namespace weir::pipeline {

Value library_versions() {
  Value versions = Value::object();
  versions.set("oneTBB", TBB_runtime_version());
  versions.set("compiler", fmt::format("{}", __VERSION__));
  return versions;
}

std::string provenance(const PlanData& data, const InputPlan& input, const Placement& place,
                       const Value& fits, const Report& report) {
  Value json = Value::object();
  json.set("weir_provenance", 1);
  json.set("program", fmt::format("weir {}", version()));
  json.set("libraries", library_versions());
  json.set("target", place.target.name);
  json.set("device", place_description(place));
  json.set("spec", data.canonical);
  json.set("spec_text", data.spec.text);
  Value files = Value::array();
  for (const auto& path : input.input.paths) {
    files.push_back(input_identity(path));
  }
  json.set("input", files);
  json.set("fits", fits);
  json.set("report", report.json());
  return to_json(json, 2) + "\n";
}

}  // namespace weir::pipeline
