#include "weir/op/schema.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "weir/op/operator.h"

namespace weir::op {
namespace {

enum class Colour { red, green };
std::span<const EnumName<Colour>> names_of(Colour) {
  static constexpr EnumName<Colour> kNames[] = {
      {"red", Colour::red}, {"rouge", Colour::red}, {"green", Colour::green}};
  return kNames;
}

struct Paint {
  double cutoff_hz = 0;
  std::int64_t order = 5;
  Colour colour = Colour::red;
  std::vector<double> weights;
  std::optional<double> ripple_db;
  bool wet = false;
  std::string name = "wall";
};

const Schema<Paint> kSchema{
    field("cutoff_hz", &Paint::cutoff_hz,
          {.unit = "Hz",
           .min = 0,
           .above_min = true,
           .required = true,
           .aliases = {"cutoff"},
           .doc = "Edge."}),
    field("order", &Paint::order, {.min = 1, .max = 8, .doc = "Order."}),
    field("colour", &Paint::colour, {.doc = "Colour."}),
    field("weights", &Paint::weights, {.min = -1, .max = 1, .doc = "Weights."}),
    field("ripple_db", &Paint::ripple_db, {.unit = "dB", .min = 0, .doc = "Ripple."}),
    field("wet", &Paint::wet, {.doc = "Wet."}),
    field("name", &Paint::name, {.doc = "Name."})};

Value painted(std::initializer_list<std::pair<const char*, Value>> members) {
  Value object = Value::object();
  object.set("cutoff_hz", 300);
  for (const auto& [key, value] : members) {
    object.set(key, value);
  }
  return object;
}

std::vector<Problem> problems_of(const Value& object) {
  std::vector<Problem> problems;
  kSchema.read(object, "band", node_keys(), problems);
  return problems;
}

void expect_problem(const Value& object, const std::string& field, const std::string& part) {
  const auto problems = problems_of(object);
  ASSERT_EQ(problems.size(), 1U) << to_json(object);
  EXPECT_EQ(problems[0].node, "band");
  EXPECT_EQ(problems[0].field, field);
  EXPECT_NE(problems[0].text.find(part), std::string::npos) << problems[0].text;
}

TEST(Schema, AnUnknownKeyNamesTheNearest) {
  expect_problem(painted({{"ordre", 3}}), "ordre", "did you mean \"order\"?");
  expect_problem(painted({{"q", 3}}), "q", "unknown key");
}

TEST(Schema, ReservedKeysArePassedOver) {
  EXPECT_TRUE(problems_of(painted({{"op", "paint"}, {"id", "band"}})).empty());
}

TEST(Schema, LimitsAreRefusedWithTheNumbers) {
  expect_problem(painted({{"order", 0}}), "order", "0 is too small; it must be at least 1");
  expect_problem(painted({{"order", 9}}), "order", "9 is too large; it must be at most 8");
  expect_problem(painted({{"cutoff_hz", 0}}), "cutoff_hz", "0 is too small; it must be above 0 Hz");
  expect_problem(painted({{"weights", Value::Array{0.5, 2}}}), "weights", "2 is too large");
  expect_problem(painted({{"ripple_db", -1}}), "ripple_db", "at least 0 dB");
  expect_problem(painted({{"order", std::nan("")}}), "order", "nan");
  EXPECT_TRUE(problems_of(painted({{"order", 8}, {"weights", Value::Array{-1, 1}}})).empty());
}

TEST(Schema, AliasesAreAcceptedButNotBothNames) {
  Value object;
  object.set("cutoff", 250.0);
  std::vector<Problem> problems;
  EXPECT_EQ(kSchema.read(object, "", node_keys(), problems).cutoff_hz, 250);
  EXPECT_TRUE(problems.empty());
  expect_problem(painted({{"cutoff", 250}}), "cutoff", "same field");
}

TEST(Schema, RequiredFieldsMustBeThere) {
  expect_problem(Value::object(), "cutoff_hz", "is required");
  Value null = Value::object();
  null.set("cutoff_hz", nullptr);
  expect_problem(null, "cutoff_hz", "is required");
}

TEST(Schema, WrongTypesNameBoth) {
  expect_problem(painted({{"order", "five"}}), "order", "expected integer, found string");
  expect_problem(painted({{"order", 2.5}}), "order", "expected integer, found number");
  expect_problem(painted({{"wet", 1}}), "wet", "expected bool, found integer");
  expect_problem(painted({{"colour", "blue"}}), "colour", "\"blue\" is not one of: red, green");
  const auto problems = problems_of(Value(3));
  ASSERT_FALSE(problems.empty());
  EXPECT_EQ(problems[0].text, "expected an object, found integer");
}

TEST(Schema, AllProblemsComeAtOnce) {
  Value object = Value::object();
  object.set("order", 0);
  object.set("wet", "yes");
  object.set("colur", "red");
  EXPECT_EQ(problems_of(object).size(), 4U);  // and cutoff_hz is missing
}

TEST(Schema, ASingleElementStandsForAList) {
  std::vector<Problem> problems;
  const Paint paint = kSchema.read(painted({{"weights", 0.5}}), "", node_keys(), problems);
  EXPECT_EQ(paint.weights, std::vector<double>{0.5});
}

TEST(Schema, WritesEveryFieldWithTheFirstSpellingAndReadsItBack) {
  std::vector<Problem> problems;
  const Paint paint =
      kSchema.read(painted({{"colour", "rouge"}, {"ripple_db", 3}}), "", node_keys(), problems);
  const Value written = kSchema.write(paint);
  EXPECT_EQ(
      to_json(written),
      R"({"cutoff_hz":300.0,"order":5,"colour":"red","weights":[],"ripple_db":3.0,"wet":false,"name":"wall"})");
  EXPECT_EQ(kSchema.write(kSchema.read(written, "", node_keys(), problems)), written);
  EXPECT_TRUE(problems.empty());
}

TEST(Schema, DescribesItselfAsJsonSchema) {
  const Value schema = json_schema(kSchema.describe());
  const Value& properties = schema.at("properties");
  EXPECT_EQ(properties.at("order").at("minimum").as_number(), 1);
  EXPECT_EQ(properties.at("order").at("maximum").as_number(), 8);
  EXPECT_EQ(properties.at("order").at("default").as_integer(), 5);
  EXPECT_EQ(properties.at("cutoff_hz").at("exclusiveMinimum").as_number(), 0);
  EXPECT_EQ(properties.at("cutoff_hz").at("description").as_string(), "Edge. Unit: Hz.");
  EXPECT_NE(properties.find("cutoff"), nullptr);
  EXPECT_EQ(to_json(properties.at("colour").at("enum")), R"(["red","green","rouge"])")
      << "every spelling that is accepted";
  EXPECT_EQ(to_json(schema.at("required")), R"(["cutoff_hz"])");
  EXPECT_FALSE(schema.at("additionalProperties").as_bool());
}

}  // namespace
}  // namespace weir::op
