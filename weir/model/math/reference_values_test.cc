// Every function value of shared/reference/functions.json with the tolerance its README states.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "weir/core/text.h"
#include "weir/model/math/every_table_internal.h"
#include "weir/testing/required.h"

namespace weir::model {
namespace {

using nlohmann::json;

constexpr double kLeastNormal = std::numeric_limits<double>::min();

double number(const json& text) {
  return std::strtod(text.get<std::string>().c_str(), nullptr);
}

/// The value and how far from it a result may be.
struct Expected {
  double value;
  double tolerance;
};

double relative(std::string_view function, double x) {
  constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
  if (function == "erfc") {
    return 1e-15 * (1 + x * x);
  }
  if (function == "digamma") {
    return 1e-14;
  }
  return function == "erfcx" || function == "dawson" || function == "lgamma" ? 1e-15 : 4 * kEpsilon;
}

Expected expected(std::string_view function, double x, double value) {
  double tolerance = relative(function, x) * std::abs(value) + 5e-324;
  if (function == "lgamma" && x < 0) {
    tolerance = 1e-14 * std::max(1.0, std::abs(value));
  }
  if (function == "digamma") {
    tolerance = std::max(tolerance, 1e-15);
  }
  return {value, std::abs(value) < kLeastNormal ? kLeastNormal : tolerance};
}

void compare(Function function, double a, double b, Expected expected) {
  for (const FunctionTable* table : every_table()) {
    const double y = in_lane(*table, function, a, b);
    if (y == expected.value && std::signbit(y) == std::signbit(expected.value)) {
      continue;
    }
    EXPECT_NE(expected.value, 0) << table->source << " " << name(function) << "(" << a << ", " << b
                                 << ") = " << y;
    EXPECT_LE(std::abs(y - expected.value), expected.tolerance)
        << table->source << " " << name(function) << "(" << a << ", " << b << ") = " << y
        << ", not " << expected.value;
  }
}

class ReferenceValues : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto path = std::filesystem::path(WEIR_SOURCE_DIR) / "../shared/reference/functions.json";
    if (!std::filesystem::exists(path)) {
      ASSERT_FALSE(weir::testing::is_required("data")) << path << " is missing";
      GTEST_SKIP() << path << " is missing";
    }
    functions_ = json::parse(read_text_file(path.string())).at("functions");
  }

  const json& points(const char* function) { return functions_.at(function).at("points"); }

 private:
  json functions_;
};

TEST_F(ReferenceValues, OfOneArgumentAreMet) {
  for (const Function function :
       {Function::erf, Function::erfc, Function::erfcx, Function::dawson, Function::lgamma,
        Function::digamma, Function::expm1, Function::log1p}) {
    const std::string text(name(function));
    for (const json& point : points(text.c_str())) {
      const double x = number(point.at("x"));
      compare(function, x, 0, expected(text, x, number(point.at("value"))));
    }
  }
}

TEST_F(ReferenceValues, OfTheAngleAreMet) {
  for (const json& point : points("atan2")) {
    compare(Function::atan2, number(point.at("y")), number(point.at("x")),
            expected("atan2", 0, number(point.at("value"))));
  }
}

TEST_F(ReferenceValues, OfFaddeevaAreMet) {
  for (const json& point : points("faddeeva")) {
    const double x = number(point.at("z").at(0));
    const double y = number(point.at("z").at(1));
    const double parts[] = {number(point.at("value").at(0)), number(point.at("value").at(1))};
    const double size = std::hypot(parts[0], parts[1]);
    for (const int part : {0, 1}) {
      const double scale = y < 0 ? size : std::abs(parts[part]);
      compare(part == 0 ? Function::faddeeva_re : Function::faddeeva_im, x, y,
              {parts[part], scale < kLeastNormal ? kLeastNormal : 1e-13 * scale});
    }
  }
}

}  // namespace
}  // namespace weir::model
