#include "weir/fit/fit_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace weir::fit {
namespace {
using ::testing::Pair;

FitResult example() {
  FitResult result;
  result.algorithm = "MIGRAD (Minuit2)";
  result.fval = -1234.5678901234;
  result.edm = 2.3e-11;
  result.edm_goal = 1e-4;
  result.nfcn = 41;
  result.ngrad = 33;
  result.valid = true;
  result.covariance_status = CovarianceStatus::accurate;
  result.parameters = {{.parameter = {.name = "mu", .value = 3},
                        .value = 3.0123456,
                        .error = 0.034567,
                        .merror = MinosError{.lower = -0.0331,
                                             .upper = 0.0362,
                                             .is_valid = true,
                                             .lower_valid = true,
                                             .upper_valid = true}},
                       {.parameter = {.name = "fraction", .value = 0.5, .lower = 0, .upper = 1},
                        .value = 0.991,
                        .error = 0.04,
                        .at_limit = true},
                       {.parameter = {.name = "norm", .value = 1, .fixed = true}, .value = 1}};
  result.covariance = SquareMatrix(3, {0.0011949, -0.0004, 0, -0.0004, 0.0016, 0, 0, 0, 0});
  result.warnings = {"fraction: closer to a bound than half its error, which means little there"};
  return result;
}

TEST(FitReport, ReadsAsATable) {
  EXPECT_EQ("\n" + to_text(example()), R"(
MIGRAD (Minuit2): a valid minimum
  fval -1234.56789, edm 2.3e-11 (goal 0.0001), error definition 0.5
  41 calls for values, 33 with gradients, 0 for second derivatives
  covariance accurate
  parameter  value  error     MINOS          bounds
  mu         3.012  ± 0.035  -0.033  +0.036
  fraction   0.991  ± 0.040                  [0, 1]  at limit
  norm           1                                   fixed
correlations
                mu  fraction
  mu         1.000
  fraction  -0.289     1.000
warning: fraction: closer to a bound than half its error, which means little there
)");
}

TEST(FitReport, SaysWhyAFitIsNotValid) {
  FitResult result = example();
  result.valid = false;
  result.reason = "the limit of 20 calls was reached";
  result.covariance = {};
  result.covariance_status = CovarianceStatus::not_positive_definite;
  const std::string text = to_text(result);
  EXPECT_THAT(text, ::testing::HasSubstr("NOT VALID: the limit of 20 calls was reached"));
  EXPECT_THAT(text, ::testing::HasSubstr("covariance not positive definite"));
  EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr("correlations")));
}

TEST(FitReport, RoundsToTwoDigitsOfTheError) {
  EXPECT_THAT(rounded(0.0123456, 0.000564), Pair("0.01235", "0.00056"));
  EXPECT_THAT(rounded(12.3456, 0.0996), Pair("12.35", "0.10"));
  EXPECT_THAT(rounded(-1234.5, 120), Pair("-1234", "120"));  // whole numbers are not rounded off
  EXPECT_THAT(rounded(1.23e-9, 4.5e-11), Pair("1.230e-09", "0.045e-09"));
  EXPECT_THAT(rounded(5e12, 3.14e10), Pair("5.000e+12", "0.031e+12"));
  EXPECT_THAT(rounded(0.2, 31), Pair("0", "31"));
  EXPECT_THAT(rounded(0, 2.5e-12), Pair("0.0e-12", "2.5e-12"));
  EXPECT_THAT(rounded(0.5, 0), Pair("0.5", "0"));
  EXPECT_THAT(rounded(0.5, std::numeric_limits<double>::quiet_NaN()), Pair("0.5", "nan"));
}

TEST(FitReport, IsADocument) {
  const Value value = to_value(example());
  EXPECT_EQ(value.at("weir_fit_result").as_integer(), 1);
  EXPECT_TRUE(value.at("fmin").at("is_valid").as_bool());
  EXPECT_EQ(value.at("fmin").at("fval").as_number(), -1234.5678901234);
  EXPECT_TRUE(value.at("fmin").at("has_parameters_at_limit").as_bool());
  const Value& mu = value.at("params").as_array()[0];
  EXPECT_EQ(mu.at("name").as_string(), "mu");
  EXPECT_EQ(mu.at("merror").at("upper").as_number(), 0.0362);
  EXPECT_TRUE(mu.at("lower_limit").is_null());
  EXPECT_TRUE(value.at("params").as_array()[2].at("is_fixed").as_bool());
  EXPECT_EQ(value.at("covariance").at("matrix").as_array()[1].as_array()[0].as_number(), -0.0004);
  EXPECT_EQ(value.at("covariance").at("names").as_array()[1].as_string(), "fraction");
  FitResult failed = example();
  failed.fval = std::numeric_limits<double>::quiet_NaN();
  failed.covariance = {};
  EXPECT_TRUE(to_value(failed).at("covariance").is_null());
  EXPECT_THAT(to_json(to_value(failed)), ::testing::HasSubstr("\"fval\":null"));
}

}  // namespace
}  // namespace weir::fit
