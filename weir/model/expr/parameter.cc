#include "weir/model/expr/parameter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "weir/core/error.h"

namespace weir::model {
namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

[[noreturn]] void refuse(const Parameter& parameter, const std::string& what) {
  throw Error(ErrorCode::invalid_spec, fmt::format("parameter {}: {}", parameter.name, what));
}

void check_finite(const Parameter& parameter, const char* field,
                  const std::optional<double>& value) {
  if (value && !std::isfinite(*value)) {
    refuse(parameter, fmt::format("{} must be a finite number, not {}", field, *value));
  }
}

void check_bounds(const Parameter& p) {
  if (p.lower && p.upper && !(*p.lower < *p.upper)) {
    refuse(p, fmt::format("lower bound {} is not below upper bound {}", *p.lower, *p.upper));
  }
  if (p.periodic && !(p.lower && p.upper)) {
    refuse(p, "periodic needs both bounds: they are one period");
  }
}

void check_inside(const Parameter& p, const char* field, double value) {
  if ((p.lower && value < *p.lower) || (p.upper && value > *p.upper)) {
    refuse(p, fmt::format("{} {} lies outside the bounds [{}, {}]", field, value,
                          p.lower ? fmt::format("{}", *p.lower) : "-inf",
                          p.upper ? fmt::format("{}", *p.upper) : "inf"));
  }
}

void check_initial(const Parameter& p) {
  if (p.initial_lower.has_value() != p.initial_upper.has_value()) {
    refuse(p, "initial range needs both ends");
  }
  if (p.initial_lower && *p.initial_lower > *p.initial_upper) {
    refuse(p,
           fmt::format("initial range [{}, {}] is reversed", *p.initial_lower, *p.initial_upper));
  }
  if (p.fixed && !p.initial) {
    refuse(p, "fixed needs a value");
  }
  if (p.initial) {
    check_inside(p, "initial value", *p.initial);
  }
  if (p.initial_lower) {
    check_inside(p, "initial range's end", *p.initial_lower);
    check_inside(p, "initial range's end", *p.initial_upper);
  }
  if (!p.initial && !p.initial_lower) {
    check_inside(p, "no initial value is given, and", 0.0);
  }
}

}  // namespace

bool is_identifier(std::string_view name) {
  return !name.empty() && is_letter(name.front()) &&
         std::all_of(name.begin(), name.end(),
                     [](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

double start_of(const Parameter& parameter) {
  if (parameter.initial) {
    return *parameter.initial;
  }
  return parameter.initial_lower
             ? *parameter.initial_lower + (*parameter.initial_upper - *parameter.initial_lower) / 2
             : 0.0;
}

void check(const Parameter& parameter) {
  if (!is_identifier(parameter.name)) {
    throw Error(
        ErrorCode::invalid_spec,
        fmt::format(
            "parameter name \"{}\": a letter or underscore, then letters, digits and underscores",
            parameter.name));
  }
  check_finite(parameter, "initial", parameter.initial);
  check_finite(parameter, "initial range's end", parameter.initial_lower);
  check_finite(parameter, "initial range's end", parameter.initial_upper);
  check_finite(parameter, "lower", parameter.lower);
  check_finite(parameter, "upper", parameter.upper);
  if (parameter.scale && !(*parameter.scale > 0 && std::isfinite(*parameter.scale))) {
    refuse(parameter, fmt::format("scale must be positive and finite, not {}", *parameter.scale));
  }
  check_bounds(parameter);
  check_initial(parameter);
}

}  // namespace weir::model
