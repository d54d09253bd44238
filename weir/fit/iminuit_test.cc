// The same objectives as golden/make.py gave to iminuit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <numbers>
#include <sstream>

#include "weir/core/error.h"
#include "weir/fit/contour.h"
#include "weir/fit/given_objective.h"
#include "weir/fit/minos.h"
#include "weir/formats/json.h"
#include "weir/testing/required.h"

namespace weir::fit {
namespace {
std::vector<double> numbers(const Value& value) {
  std::vector<double> result;
  for (const Value& item : value.as_array()) {
    result.push_back(item.as_number());
  }
  return result;
}

const Value& golden() {
  static const Value value = [] {
    std::ifstream file(WEIR_SOURCE_DIR "/weir/fit/golden/iminuit.json");
    std::stringstream text;
    text << file.rdbuf();
    return formats::parse_json(text.str());
  }();
  return value;
}
std::vector<double> given(const std::string& name) {
  return numbers(golden().at("given").at(name));
}

using Function = GivenObjective::Function;

Function quadratic() {
  std::vector<double> matrix;
  for (const Value& row : golden().at("given").at("matrix").as_array()) {
    for (const double element : numbers(row)) {
      matrix.push_back(element);
    }
  }
  return [matrix, centre = given("centre")](std::span<const double> p, std::span<double> g) {
    Evaluation e;
    for (std::size_t i = 0; i < 4; ++i) {
      g[i] = 0;
      for (std::size_t j = 0; j < 4; ++j) {
        g[i] += matrix[4 * i + j] * (p[j] - centre[j]);
      }
      e.value += 0.5 * g[i] * (p[i] - centre[i]);
    }
    return e;
  };
}

Evaluation rosenbrock(std::span<const double> x, std::span<double> g) {
  Evaluation e;
  for (std::size_t i = 0; i < 4; i += 2) {
    const double bend = x[i + 1] - x[i] * x[i];
    e.value += 100 * bend * bend + (1 - x[i]) * (1 - x[i]);
    g[i] = -400 * bend * x[i] - 2 * (1 - x[i]);
    g[i + 1] = 200 * bend;
  }
  return e;
}

Evaluation lifetime(std::span<const double> p, std::span<double> g) {
  static const std::vector<double> times = given("times");
  Evaluation e;
  g[0] = 0;
  for (const double t : times) {
    e.value += std::log(p[0]) + t / p[0];
    g[0] += 1 / p[0] - t / (p[0] * p[0]);
  }
  return e;
}

Evaluation normal(std::span<const double> p, std::span<double> g) {
  static const std::vector<double> data = given("data");
  Evaluation e;
  g[0] = g[1] = 0;
  for (const double x : data) {
    const double z = (x - p[0]) / p[1];
    e.value += std::log(p[1]) + z * z / 2 + std::log(2 * std::numbers::pi) / 2;
    g[0] -= z / p[1];
    g[1] += (1 - z * z) / p[1];
  }
  return e;
}

Evaluation poisson(std::span<const double> p, std::span<double> g) {
  static const std::vector<double> counts = given("counts");
  static const std::vector<double> places = given("places");
  Evaluation e;
  g[0] = g[1] = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double shape = std::exp(-0.5 * (places[i] - 0.5) * (places[i] - 0.5) / 0.01);
    const double mu = p[0] * shape + p[1];
    if (!(mu > 0)) {
      g[0] = p[0] < 0 ? -shape : 0;
      g[1] = -1;
      return {.value = -mu, .feasible = false, .reason = "a bin expects nothing"};
    }
    e.value += mu - counts[i] * std::log(mu) + std::lgamma(counts[i] + 1);
    g[0] += (1 - counts[i] / mu) * shape;
    g[1] += 1 - counts[i] / mu;
  }
  return e;
}

std::vector<Parameter> parameters_of(const Value& expected) {
  std::vector<Parameter> parameters;
  const std::vector<double> start = numbers(expected.at("start"));
  for (std::size_t i = 0; i < start.size(); ++i) {
    Parameter parameter{.name = expected.at("names").as_array()[i].as_string(), .value = start[i]};
    const Value::Array& limits = expected.at("limits").as_array()[i].as_array();
    if (!limits[0].is_null()) {
      parameter.lower = limits[0].as_number();
    }
    if (!limits[1].is_null()) {
      parameter.upper = limits[1].as_number();
    }
    for (const Value& name : expected.at("fixed").as_array()) {
      parameter.fixed |= name.as_string() == parameter.name;
    }
    parameters.push_back(parameter);
  }
  return parameters;
}

void skip_without(Minimiser minimiser) {
  if (!is_available(minimiser)) {
    ASSERT_FALSE(testing::is_required(name(minimiser)));
    GTEST_SKIP() << "this build has no " << name(minimiser);
  }
}

class Iminuit : public ::testing::TestWithParam<std::tuple<std::string, Minimiser>> {
 protected:
  void SetUp() override { skip_without(std::get<1>(GetParam())); }
  static Function function_of(const std::string& name) {
    return name == "rosenbrock" ? Function(rosenbrock)
           : name == "lifetime" ? Function(lifetime)
           : name == "normal"   ? Function(normal)
           : name == "poisson"  ? Function(poisson)
                                : quadratic();
  }
};
INSTANTIATE_TEST_SUITE_P(
    Golden, Iminuit,
    ::testing::Combine(::testing::Values("quadratic", "rosenbrock", "at_limit", "inside_limits",
                                         "fixed", "lifetime", "normal", "poisson"),
                       ::testing::Values(Minimiser::minuit2, Minimiser::nlopt)),
    [](const auto& tested) {
      return std::get<0>(tested.param) + "_" + std::string(name(std::get<1>(tested.param)));
    });

void compare_minimum(const FitResult& result, const Value& expected, bool at_limit) {
  ASSERT_TRUE(expected.at("valid").as_bool());
  ASSERT_TRUE(result.valid) << result.reason;
  const std::vector<double> values = numbers(expected.at("values"));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const FittedParameter& row = result.parameters[i];
    EXPECT_NEAR(row.value, values[i], 1e-3 * row.error) << row.parameter.name;
    const std::vector<double> covariance = numbers(expected.at("covariance").as_array()[i]);
    for (std::size_t j = 0; j < values.size(); ++j) {
      const FittedParameter& column = result.parameters[j];
      if (at_limit && (i == 0 || j == 0)) {
        continue;  // The parameter that its bound stops has no curvature in iminuit's coordinates.
      }
      EXPECT_NEAR(result.covariance(i, j), covariance[j], 1e-3 * row.error * column.error)
          << row.parameter.name << ", " << column.parameter.name;
    }
  }
  // An edm of iminuit's goal, 1e-8, at most.
  EXPECT_NEAR(result.fval, expected.at("fval").as_number(), 1e-7);
}

TEST_P(Iminuit, FindsTheSameMinimumAndErrors) {
  const auto& [name, minimiser] = GetParam();
  const Value& expected = golden().at("cases").at(name);
  GivenObjective objective(parameters_of(expected), function_of(name));
  for (int strategy = 0; strategy <= 2; ++strategy) {
    SCOPED_TRACE(strategy);
    FitResult result = minimise(objective, {.minimiser = minimiser, .strategy = strategy});
    compare_minimum(result, expected, name == "at_limit");
    EXPECT_EQ(result.parameters[0].at_limit, name == "at_limit");
    if (const Value* errors = expected.find("minos")) {
      minos(objective, result, {}, 1, {.minimiser = minimiser});
      for (const FittedParameter& fitted : result.parameters) {
        // Minuit2 ends its search a hundredth of an error away from the crossing.
        const std::vector<double> sides = numbers(errors->at(fitted.parameter.name));
        EXPECT_NEAR(fitted.merror->lower, sides[0], 0.01 * fitted.error);
        EXPECT_NEAR(fitted.merror->upper, sides[1], 0.01 * fitted.error);
      }
    }
  }
}

class IminuitContour : public ::testing::TestWithParam<Minimiser> {
 protected:
  void SetUp() override { skip_without(GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(Golden, IminuitContour,
                         ::testing::Values(Minimiser::minuit2, Minimiser::nlopt),
                         [](const auto& tested) { return std::string(name(tested.param)); });

TEST_P(IminuitContour, IsTheSameCurve) {
  const Value& expected = golden().at("cases").at("poisson");
  const Minimiser minimiser = GetParam();
  GivenObjective objective(parameters_of(expected), poisson);
  FitResult result = minimise(objective, {.minimiser = minimiser});
  minos(objective, result, {}, 1, {.minimiser = minimiser});
  const Contour ours = contour(objective, result, "peak", "level", 64, 1, {.minimiser = minimiser});
  ASSERT_TRUE(ours.is_valid);
  // With two parameters the curve is where the function itself has risen by 0.5: both are there.
  for (std::size_t i = 0; i < ours.first_values.size(); ++i) {
    const std::vector<double> point{ours.first_values[i], ours.second_values[i]};
    EXPECT_NEAR(objective.value(point).value - result.fval, 0.5, 1e-6);
  }
  for (const Value& point : expected.at("contour").at("points").as_array()) {
    EXPECT_NEAR(objective.value(numbers(point)).value - result.fval, 0.5, 0.01);
  }
  // Its box is the MINOS errors, which 64 points miss by a thousandth.
  const FittedParameter& peak = result.at("peak");
  const auto [least, most] = std::ranges::minmax_element(ours.first_values);
  EXPECT_NEAR(*least - peak.value, peak.merror->lower, 3e-3 * peak.error);
  EXPECT_NEAR(*most - peak.value, peak.merror->upper, 3e-3 * peak.error);
}

}  // namespace
}  // namespace weir::fit
