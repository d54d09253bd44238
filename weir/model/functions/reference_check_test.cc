#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "weir/model/expr/gauss_legendre.h"
#include "weir/model/expr/model_function.h"
#include "weir/model/expr/operations.h"
#include "weir/model/functions/reference_check_internal.h"
#include "weir/model/run/prepared_model.h"

namespace weir::model {
namespace {

using nlohmann::json;

constexpr double kLeastNormal = std::numeric_limits<double>::min();

double number(const json& text) {
  return std::strtod(text.get<std::string>().c_str(), nullptr);
}

const ModelFunction& function_named(const std::string& name) {
  const ModelFunction* found = find_model_function(name);
  if (found == nullptr) {
    throw std::runtime_error("there is no function " + name);
  }
  return *found;
}

/// x, then parameters p1, p2, …: what a function takes.
std::vector<Expr> free_arguments(std::size_t count) {
  std::vector<Expr> arguments = {column("x")};
  for (std::size_t i = 0; i < count; ++i) {
    // Named so that no name is taken twice where the last argument repeats.
    arguments.push_back(parameter({.name = "p" + std::to_string(i + 1), .initial = 1.0}));
  }
  return arguments;
}

std::shared_ptr<ResidentTable> table_of(const std::vector<double>& x) {
  auto table = std::make_shared<ResidentTable>("points", static_cast<std::int64_t>(x.size()));
  table->add_column("x", x);
  return table;
}

/// A compiled expression of the free arguments, called with values for all of them.
class Evaluated {
 public:
  explicit Evaluated(const Expr& expression) : model_(expression) {}

  std::vector<double> values(const std::vector<double>& arguments,
                             const std::vector<double>& x) const {
    return model_.evaluate(ordered(arguments), model_.prepare(table_of(x)))[0];
  }
  /// Derivatives by all arguments of Σ f or Σ ln f; 0 by those that do not occur.
  std::vector<double> slopes(const std::vector<double>& arguments, double x, Plan plan) const {
    const auto data = model_.prepare(table_of({x}));
    return of_all(model_.reduce_with_gradient(ordered(arguments), data, plan, Domain::nan).gradient,
                  arguments.size());
  }
  std::vector<double> curvatures(const std::vector<double>& arguments, double x) const {
    return model_
        .reduce_with_hessian(ordered(arguments), model_.prepare(table_of({x})), Plan::weighted_real,
                             Domain::nan)
        .hessian;
  }
  const PreparedModel& model() const { return model_; }

  std::vector<double> ordered(const std::vector<double>& arguments) const {
    std::vector<double> values;
    for (const auto& parameter : model_.parameters()) {
      values.push_back(arguments.at(place(*parameter)));
    }
    return values;
  }
  static std::size_t place(const Parameter& parameter) {
    return std::stoul(parameter.name.substr(1)) - 1;
  }

 private:
  std::vector<double> of_all(const std::vector<double>& gradient, std::size_t count) const {
    std::vector<double> all(count, 0.0);
    for (std::size_t i = 0; i < gradient.size(); ++i) {
      all[place(*model_.parameters()[i])] = gradient[i];
    }
    return all;
  }
  PreparedModel model_;
};

Expr log_expression(const ModelFunction& function, const std::vector<Expr>& arguments) {
  return function.log_value != nullptr ? function.log_value(arguments)
                                       : log(function.value(arguments));
}

class Reference {
 public:
  explicit Reference(const ReferenceCheck& check)
      : check_(check),
        function_(function_named(check.function)),
        arguments_(free_arguments(check.arguments.size())),
        value_(call(function_, arguments_)),
        log_(log_expression(function_, arguments_)) {
    const std::string path = WEIR_SOURCE_DIR "/" + check.folder + "/" + check.record + ".json";
    std::ifstream file(path);
    EXPECT_TRUE(file.good()) << path;
    record_ = json::parse(file);
  }

  void expect_points() const {
    EXPECT_GT(record_.at("points").size(), 5U);
    for (const json& point : record_.at("points")) {
      SCOPED_TRACE(check_.function + " at " + point.at("x").get<std::string>() + ", " +
                   point.at("parameters").dump());
      expect_value(point);
      if (point.at("dlog").is_null()) {
        expect_nothing_outside(point);
      } else {
        expect_slopes(point);
      }
    }
  }

  void expect_integrals() const {
    for (const json& integral : record_.at("integrals")) {
      if (function_.integral == nullptr || integral.contains("unnormalised")) {
        continue;
      }
      SCOPED_TRACE(check_.function + " from " + integral.at("lo").get<std::string>() + " to " +
                   integral.at("hi").get<std::string>() + ", " + integral.at("parameters").dump());
      const std::vector<double> at = arguments_of(integral);
      const Evaluated mass(
          function_.integral(arguments_, number(integral.at("lo")), number(integral.at("hi"))));
      const double expected = number(integral.at("integral"));
      EXPECT_NEAR(mass.values(at, {0.0})[0], expected, 1e-13 * expected);
      for (const double slope : mass.slopes(at, 0.0, Plan::weighted_real)) {
        EXPECT_TRUE(std::isfinite(slope)) << slope;
      }
      for (const double curvature : mass.curvatures(at, 0.0)) {
        EXPECT_TRUE(std::isfinite(curvature)) << curvature;
      }
    }
  }

 private:
  std::vector<double> arguments_of(const json& entry) const {
    std::vector<double> values;
    for (const std::string& name : check_.arguments) {
      values.push_back(number(entry.at("parameters").at(name)));
    }
    return values;
  }

  ReferencePoint point_of(const json& point) const {
    ReferencePoint at{.x = number(point.at("x")), .parameters = {}};
    for (const std::string& name : check_.arguments) {
      at.parameters[name] = number(point.at("parameters").at(name));
    }
    return at;
  }

  void expect_value(const json& point) const {
    const std::vector<double> at = arguments_of(point);
    const double x = number(point.at("x"));
    const double expected = number(point.at("value"));
    const double expected_log = number(point.at("log_value"));
    const double value = value_.values(at, {x})[0];
    const double log_value = log_.values(at, {x})[0];
    if (std::isinf(expected_log)) {
      EXPECT_EQ(value, expected);
      EXPECT_EQ(log_value, expected_log);
      return;
    }
    const double size = std::abs(expected_log);
    const double tolerance = check_.log_tolerance * check_.condition(point_of(point));
    EXPECT_NEAR(value, expected,
                expected < kLeastNormal ? kLeastNormal : tolerance * (1 + size) * expected);
    EXPECT_NEAR(log_value, expected_log, tolerance * std::max(1.0, size));
  }

  void expect_slopes(const json& point) const {
    const ReferencePoint at = point_of(point);
    const double tolerance = check_.slope_tolerance * check_.condition(at);
    // The logarithm is summed as it is: weighted_real of the log form.
    const auto slopes = log_.slopes(arguments_of(point), at.x, Plan::weighted_real);
    for (std::size_t i = 0; i < check_.arguments.size(); ++i) {
      const std::string& name = check_.arguments[i];
      if (!point.at("dlog").contains(name)) {
        continue;  // Fixed in the record.
      }
      const double expected = number(point.at("dlog").at(name));
      if (std::isinf(expected)) {
        continue;  // x^(k-1) at 0: no slope by k that a sum could use.
      }
      const double size = std::max(std::abs(expected), check_.largest_term(at, name));
      EXPECT_NEAR(slopes[i], expected, tolerance * size) << name;
    }
  }

  void expect_nothing_outside(const json& point) const {
    const double x = number(point.at("x"));
    for (const double slope : value_.slopes(arguments_of(point), x, Plan::weighted_real)) {
      EXPECT_EQ(slope, 0.0);
    }
  }

  const ReferenceCheck& check_;
  const ModelFunction& function_;
  std::vector<Expr> arguments_;
  Evaluated value_;
  Evaluated log_;
  json record_;
};

/// Gauss and Legendre's rule in many pieces.
double quadrature(const Evaluated& value, const std::vector<double>& arguments, double lower,
                  double upper) {
  constexpr int kPieces = 600;
  const QuadratureRule rule = gauss_legendre(16);
  const double half = (upper - lower) / (2 * kPieces);
  std::vector<double> x;
  for (int piece = 0; piece < kPieces; ++piece) {
    for (const double node : rule.nodes) {
      x.push_back(lower + half * (2 * piece + 1 + node));
    }
  }
  const std::vector<double> y = value.values(arguments, x);
  double sum = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    sum += rule.weights[i % rule.nodes.size()] * y[i];
  }
  return sum * half;
}

}  // namespace

void expect_reference(const ReferenceCheck& check) {
  const Reference reference(check);
  reference.expect_points();
  reference.expect_integrals();
}

void expect_quadrature(const std::string& function, const std::vector<double>& arguments,
                       double lower, double upper, double expected, double tolerance) {
  const ModelFunction& found = function_named(function);
  const Evaluated value(call(found, free_arguments(arguments.size())));
  EXPECT_NEAR(quadrature(value, arguments, lower, upper), expected, tolerance * expected)
      << function << " from " << lower << " to " << upper;
}

void expect_integral(const std::string& function, const std::vector<double>& arguments,
                     double lower, double upper, double tolerance) {
  const ModelFunction& found = function_named(function);
  std::vector<Expr> all = free_arguments(arguments.size() + 2);
  const Expr end = all.back();
  all.pop_back();
  const Expr start = all.back();
  all.pop_back();
  const Evaluated value(call(found, all));
  const Evaluated mass(found.integral(all, start, end));
  std::vector<double> at = arguments;
  at.insert(at.end(), {lower, upper});
  const double integral = mass.values(at, {0.0})[0];
  EXPECT_NEAR(integral, quadrature(value, arguments, lower, upper), tolerance * std::abs(integral))
      << function;
  const auto slopes = mass.slopes(at, 0.0, Plan::weighted_real);
  const auto ends = value.values(arguments, {lower, upper});
  EXPECT_NEAR(slopes[arguments.size()], -ends[0], 1e-11 * (ends[0] + integral)) << function;
  EXPECT_NEAR(slopes[arguments.size() + 1], ends[1], 1e-11 * (ends[1] + integral)) << function;
}

void expect_hessian(const std::string& function, const std::vector<double>& arguments,
                    const std::vector<double>& x, double tolerance) {
  const ModelFunction& found = function_named(function);
  const Evaluated value(call(found, free_arguments(arguments.size())));
  const PreparedModel& model = value.model();
  const auto data = model.prepare(table_of(x));
  const auto plan = Plan::weighted_log_positive_real;
  const std::vector<double> at = value.ordered(arguments);
  const auto whole = model.reduce_with_hessian(at, data, plan);
  for (std::size_t i = 0; i < at.size(); ++i) {
    const double step = 1e-5 * std::max(1e-2, std::abs(at[i]));
    std::vector<double> up = at;
    std::vector<double> down = at;
    up[i] += step;
    down[i] -= step;
    const auto above = model.reduce_with_gradient(up, data, plan).gradient;
    const auto below = model.reduce_with_gradient(down, data, plan).gradient;
    for (std::size_t j = 0; j < at.size(); ++j) {
      const double expected = (above[j] - below[j]) / (2 * step);
      EXPECT_NEAR(whole.hessian[i * at.size() + j], expected, tolerance * (1 + std::abs(expected)))
          << function << " " << i << " " << j;
    }
  }
}

double value_at(const std::string& function, const std::vector<double>& arguments, double x) {
  const ModelFunction& found = function_named(function);
  return Evaluated(call(found, free_arguments(arguments.size()))).values(arguments, {x})[0];
}

std::vector<double> slopes_at(const std::string& function, const std::vector<double>& arguments,
                              double x) {
  const ModelFunction& found = function_named(function);
  return Evaluated(call(found, free_arguments(arguments.size())))
      .slopes(arguments, x, Plan::weighted_real);
}

}  // namespace weir::model
