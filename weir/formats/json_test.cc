#include "weir/formats/json.h"

#include <gtest/gtest.h>

#include <string>

#include "weir/core/error.h"
#include "weir/testing/conformance.h"

namespace weir::formats {
namespace {
using testing::expect_error;

TEST(Json, KeepsTypesAndTheOrderOfKeys) {
  const Value value = parse_json(R"({"b": 1, "a": [1.5, true, null, "x\u00b5"], "c": -3e2})");
  ASSERT_TRUE(value.is_object());
  EXPECT_EQ(value.as_object()[0].first, "b");
  EXPECT_EQ(value.as_object()[1].first, "a");
  EXPECT_TRUE(value.at("b").is_integer());
  EXPECT_EQ(value.at("a").as_array()[0], Value(1.5));
  EXPECT_EQ(value.at("a").as_array()[1], Value(true));
  EXPECT_TRUE(value.at("a").as_array()[2].is_null());
  EXPECT_EQ(value.at("a").as_array()[3], Value("xµ"));
  EXPECT_EQ(value.at("c").as_number(), -300.0);
}

TEST(Json, KeepsWholeNumbersOf64Bits) {
  EXPECT_EQ(parse_json("[9223372036854775807]").as_array()[0].as_integer(), INT64_MAX);
  EXPECT_EQ(parse_json("[-9223372036854775808]").as_array()[0].as_integer(), INT64_MIN);
  EXPECT_EQ(parse_json("[18446744073709551615]").as_array()[0].as_number(), 18446744073709551615.0);
}

TEST(Json, ReadsBackWhatIsWritten) {
  Value value = Value::object();
  value.set("gain", 0.195);
  value.set("tiny", 5e-324);
  value.set("name", "a \"b\"\n\t\x01 µ");
  value.set("list", Value(Value::Array{1, Value::object(), nullptr}));
  EXPECT_EQ(parse_json(to_json(value)), value);
  EXPECT_EQ(parse_json(to_json(value, 2)), value);
}

TEST(Json, NamesLineAndColumnOfAMistake) {
  expect_error(ErrorCode::corrupt_data, "line 2, column 7",
               [] { parse_json("{\"a\": 1,\n \"b\": x}"); });
  expect_error(ErrorCode::corrupt_data, "line 1", [] { parse_json(""); });
  expect_error(ErrorCode::corrupt_data, "not valid JSON", [] { parse_json("{\"a\": 1} x"); });
}

TEST(Json, RefusesAKeyGivenTwice) {
  EXPECT_NO_THROW(parse_json(R"([{"a": {"a": 1}, "b": 2}, {"a": 3}])"));
  expect_error(ErrorCode::corrupt_data, "the key \"b\" appears twice in one JSON object",
               [] { parse_json(R"({"a": {"b": 1, "c": {}, "b": 2}})"); });
}

TEST(Json, RefusesBottomlessNesting) {
  const std::string deep(100000, '[');
  expect_error(ErrorCode::corrupt_data, "levels", [&] { parse_json(deep); });
}

TEST(Json, RefusesTextThatIsNoUtf8) {
  expect_error(ErrorCode::corrupt_data, "not valid JSON", [] { parse_json("[\"\xff\xfe\"]"); });
}

}  // namespace
}  // namespace weir::formats
