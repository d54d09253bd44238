#include "weir/fit/fit_parameter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "weir/core/error.h"
#include "weir/core/value.h"

namespace weir::fit {
namespace {
[[noreturn]] void refuse(const Parameter& parameter, const std::string& what) {
  throw Error(ErrorCode::invalid_spec, fmt::format("parameter {}: {}", parameter.name, what));
}

void check_one(const Parameter& parameter) {
  if (!std::isfinite(parameter.value)) {
    refuse(parameter, fmt::format("value: {} is no finite number", parameter.value));
  }
  for (const auto& [field, bound] :
       {std::pair{"lower", parameter.lower}, std::pair{"upper", parameter.upper}}) {
    if (bound && !std::isfinite(*bound)) {
      refuse(parameter, fmt::format("{}: {} is no finite number", field, *bound));
    }
  }
  if (parameter.lower && parameter.upper && !(*parameter.lower < *parameter.upper)) {
    refuse(parameter,
           fmt::format("lower: {} is not below upper, {}", *parameter.lower, *parameter.upper));
  }
  if (parameter.periodic && !(parameter.lower && parameter.upper)) {
    refuse(parameter, "periodic: needs both bounds, which are the period");
  }
  if (parameter.step && !(*parameter.step > 0 && std::isfinite(*parameter.step))) {
    refuse(parameter, fmt::format("step: {} is not positive", *parameter.step));
  }
  const bool outside = (parameter.lower && parameter.value < *parameter.lower) ||
                       (parameter.upper && parameter.value > *parameter.upper);
  if (parameter.fixed && outside && !parameter.periodic) {
    refuse(parameter, fmt::format("value: fixed at {}, outside its bounds", parameter.value));
  }
}
}  // namespace

void check(std::span<const Parameter> parameters) {
  std::set<std::string_view> names;
  for (const Parameter& parameter : parameters) {
    if (parameter.name.empty()) {
      throw Error(ErrorCode::invalid_spec, "parameters: one has no name");
    }
    if (!names.insert(parameter.name).second) {
      refuse(parameter, "name: there are two of it");
    }
    check_one(parameter);
  }
}

std::size_t index_of(std::span<const Parameter> parameters, std::string_view name) {
  const auto found = std::ranges::find(parameters, name, &Parameter::name);
  if (found != parameters.end()) {
    return static_cast<std::size_t>(found - parameters.begin());
  }
  std::vector<std::string> names;
  for (const Parameter& parameter : parameters) {
    names.push_back(parameter.name);
  }
  const auto nearest = nearest_word(name, names);
  throw Error(ErrorCode::invalid_spec,
              fmt::format("no parameter is called \"{}\"{}", name,
                          nearest ? fmt::format(": did you mean \"{}\"?", *nearest) : ""));
}

std::vector<std::size_t> free_indices(std::span<const Parameter> parameters) {
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (!parameters[i].fixed) {
      indices.push_back(i);
    }
  }
  return indices;
}

double first_step(const Parameter& parameter) {
  const bool box = parameter.lower && parameter.upper;
  const double width = box ? *parameter.upper - *parameter.lower : 0;
  double step = parameter.step.value_or(std::abs(parameter.value) / 10);
  if (step == 0) {
    step = box ? width / 10 : 0.1;
  }
  return box ? std::min(step, width / 2) : step;
}

}  // namespace weir::fit
