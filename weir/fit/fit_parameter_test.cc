#include "weir/fit/fit_parameter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "weir/core/error.h"
#include "weir/testing/conformance.h"

namespace weir::fit {
namespace {
using testing::expect_error;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(FitParameter, EachMistakeIsRefusedByName) {
  const auto refused = [](const Parameter& parameter, const std::string& word) {
    const std::vector<Parameter> parameters{{.name = "other", .value = 1}, parameter};
    expect_error(ErrorCode::invalid_spec, word, [&] { check(parameters); });
  };
  refused({.name = ""}, "no name");
  refused({.name = "other"}, "two of it");
  refused({.name = "mu", .value = kNan}, "mu: value");
  refused({.name = "mu", .lower = kNan}, "mu: lower");
  refused({.name = "mu", .upper = std::numeric_limits<double>::infinity()}, "mu: upper");
  refused({.name = "mu", .lower = 2, .upper = 2}, "lower: 2 is not below upper, 2");
  refused({.name = "mu", .lower = 0, .periodic = true}, "periodic");
  refused({.name = "mu", .step = 0}, "step");
  refused({.name = "mu", .value = 3, .upper = 2, .fixed = true}, "fixed at 3");
  EXPECT_NO_THROW(check(std::vector<Parameter>{{.name = "mu", .value = 3, .upper = 2}}));
}

TEST(FitParameter, AnUnknownNameIsAnsweredWithTheNearest) {
  const std::vector<Parameter> parameters{{.name = "sigma"}, {.name = "mean", .fixed = true}};
  EXPECT_EQ(index_of(parameters, "mean"), 1);
  EXPECT_THAT(free_indices(parameters), ::testing::ElementsAre(0));
  expect_error(ErrorCode::invalid_spec, "\"sigma\"", [&] { index_of(parameters, "sigme"); });
}

TEST(FitParameter, TheFirstStepFitsIntoTheBounds) {
  EXPECT_DOUBLE_EQ(first_step({.name = "a", .value = -30}), 3);
  EXPECT_DOUBLE_EQ(first_step({.name = "a", .value = 0}), 0.1);
  EXPECT_DOUBLE_EQ(first_step({.name = "a", .value = 0, .lower = -1, .upper = 3}), 0.4);
  EXPECT_DOUBLE_EQ(first_step({.name = "a", .value = 9, .step = 5, .lower = 8, .upper = 10}), 1);
}

}  // namespace
}  // namespace weir::fit
