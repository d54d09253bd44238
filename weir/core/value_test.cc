#include "weir/core/value.h"

#include <gtest/gtest.h>

#include <limits>

#include "weir/testing/conformance.h"

namespace weir {
namespace {

using testing::expect_error;

TEST(Value, ObjectsKeepTheOrderOfTheirKeysAndReplaceInPlace) {
  Value object;
  object.set("b", 1);
  object.set("a", "x");
  object.set("b", 2.5);
  EXPECT_EQ(to_json(object), R"({"b":2.5,"a":"x"})");
  EXPECT_EQ(object.at("b").as_number(), 2.5);
  EXPECT_EQ(object.find("c"), nullptr);
}

TEST(Value, NamesBothTypesWhenTheyDiffer) {
  expect_error(ErrorCode::invalid_spec, "expected number, found string",
               [] { Value("x").as_number(); });
  expect_error(ErrorCode::invalid_spec, "expected bool, found integer", [] { Value(1).as_bool(); });
  expect_error(ErrorCode::invalid_spec, "expected integer, found number",
               [] { Value(1.5).as_integer(); });
  expect_error(ErrorCode::invalid_spec, "expected array, found null", [] { Value().as_array(); });
  expect_error(ErrorCode::invalid_spec, "\"k\" is missing", [] { Value::object().at("k"); });
  expect_error(ErrorCode::invalid_spec, "expected object, found array",
               [] { Value::array().set("k", 1); });
}

TEST(Value, WholeDoublesAreIntegers) {
  EXPECT_EQ(Value(30000.0).as_integer(), 30000);
  EXPECT_EQ(Value(7).as_number(), 7.0);
  expect_error(ErrorCode::invalid_spec, "integer", [] { Value(1e300).as_integer(); });
}

TEST(Value, WritesNumbersInTheirShortestRoundTripForm) {
  EXPECT_EQ(to_json(Value(0.1)), "0.1");
  EXPECT_EQ(to_json(Value(2.0)), "2.0");
  EXPECT_EQ(to_json(Value(1e300)), "1e+300");
  EXPECT_EQ(to_json(Value(std::numeric_limits<std::int64_t>::min())), "-9223372036854775808");
  EXPECT_EQ(to_json(Value(std::numeric_limits<double>::quiet_NaN())), "null");
}

TEST(Value, EscapesText) {
  EXPECT_EQ(to_json(Value("a\"b\\c\n\t\x01 µ")), "\"a\\\"b\\\\c\\n\\t\\u0001 µ\"");
}

TEST(Value, IndentsObjectsAndKeepsFlatListsOnALine) {
  Value object;
  object.set("list", Value::Array{1, 2});
  object.set("empty", Value::object());
  EXPECT_EQ(to_json(object, 2), "{\n  \"list\": [1, 2],\n  \"empty\": {}\n}");
}

TEST(NearestWord, FindsALikelySlipAndNothingFarOff) {
  const std::vector<std::string> known{"cutoff_hz", "order", "mode"};
  EXPECT_EQ(nearest_word("cutof_hz", known), "cutoff_hz");
  EXPECT_EQ(nearest_word("ordre", known), "order");
  EXPECT_EQ(nearest_word("tolerance_and_more", known), std::nullopt);
  EXPECT_EQ(nearest_word("x", {}), std::nullopt);
}

}  // namespace
}  // namespace weir
