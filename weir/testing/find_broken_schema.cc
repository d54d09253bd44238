#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "weir/testing/probe.h"

namespace weir::testing {
namespace {
std::vector<Problem> problems_of(const op::Operator& op, const Value& params) {
  std::vector<Problem> problems;
  op.check(params, "node", problems);
  return problems;
}

bool refuses(const op::Operator& op, const Value& params, const std::string& field) {
  const auto problems = problems_of(op, params);
  return std::any_of(problems.begin(), problems.end(),
                     [&](const Problem& problem) { return problem.field == field; });
}

Value number_for(const op::FieldInfo& info, double number) {
  Value value;
  if (info.type.find("integer") != std::string::npos) {
    value = static_cast<std::int64_t>(number);
  } else {
    value = number;
  }
  if (!info.type.starts_with("list of ")) {
    return value;
  }
  Value list = Value::array();
  list.push_back(value);
  return list;
}

/// A number less than `limit`, whatever its size.
double below(double limit) {
  return std::min(limit - 1, std::nextafter(limit, -std::numeric_limits<double>::infinity()));
}

bool is_named(const op::FieldInfo& info, const std::string& key) {
  return key == info.name ||
         std::find(info.aliases.begin(), info.aliases.end(), key) != info.aliases.end();
}

/// The parameters without a field, whatever it is called in them.
Value without_field(const Value& params, const op::FieldInfo& info) {
  Value without = Value::object();
  for (const auto& [key, value] : params.as_object()) {
    if (!is_named(info, key)) {
      without.set(key, value);
    }
  }
  return without;
}

void find_open_limits(const op::Operator& op, const Value& params, Findings& findings) {
  for (const auto& info : op.fields()) {
    const auto must_refuse = [&](double number) {
      Value outside = without_field(params, info);
      outside.set(info.name, number_for(info, number));
      if (!refuses(op, outside, info.name)) {
        findings.push_back(fmt::format("limits: {} = {} is outside its limits and was not refused",
                                       info.name, number));
      }
    };
    if (info.min) {
      must_refuse(info.above_min ? *info.min : below(*info.min));
    }
    if (info.max) {
      must_refuse(-below(-*info.max));
    }
    if (info.required) {
      if (!refuses(op, without_field(params, info), info.name)) {
        findings.push_back(fmt::format("required: {} may be left out", info.name));
      }
    }
  }
}
}  // namespace

void find_broken_schema(const op::Operator& op, const Value& params, Findings& findings) {
  for (const auto& problem : problems_of(op, params)) {
    findings.push_back(
        fmt::format("schema: the probe's own parameters: {}: {}", problem.field, problem.text));
  }
  if (!findings.empty()) {
    return;
  }
  const Value canonical = op.canonical(params);
  for (const auto& problem : problems_of(op, canonical)) {
    findings.push_back(fmt::format("canonical form: {}: {}", problem.field, problem.text));
  }
  if (findings.empty() && !(op.canonical(canonical) == canonical)) {
    findings.push_back(fmt::format("canonical form: {} becomes {}", to_json(canonical),
                                   to_json(op.canonical(canonical))));
  }
  Value unknown = params;
  unknown.set("no_such_key", 1);
  if (!refuses(op, unknown, "no_such_key")) {
    findings.emplace_back("schema: an unknown key was not refused");
  }
  find_open_limits(op, params, findings);
}

}  // namespace weir::testing
