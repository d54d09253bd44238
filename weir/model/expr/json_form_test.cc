#include "weir/model/expr/json_form.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weir/core/error.h"
#include "weir/model/expr/operations.h"
#include "weir/model/expr/same.h"

namespace weir::model {
namespace {

using ::testing::HasSubstr;

Expr first_argument(std::span<const Expr> arguments) {
  return arguments[0];
}
const ModelFunction kPair{
    .name = "pair", .arguments = {"x", "a"}, .value = &first_argument, .formula = {}, .source = {}};

std::string refusal(std::string_view text) {
  try {
    parse_json_form(text, {&kPair});
  } catch (const Error& error) {
    return error.text();
  }
  return "nothing was refused";
}

/// A document of these nodes, the last being the root.
std::string refused_nodes(const std::string& nodes, const std::string& root = "0") {
  return refusal(R"({"weir_expression": 1, "parameters": [{"name": "mu"}], "nodes": [)" + nodes +
                 "], \"roots\": [" + root + "]}");
}

TEST(JsonForm, WritesEachNodeOnce) {
  const Expr x = column("x");
  const Expr t = x - parameter({.name = "mu", .initial = 1.5, .lower = 0.0, .fixed = true});
  const Expr root = (t * t).tagged({"A"});
  EXPECT_EQ(
      print_json({&root, 1}),
      R"({"weir_expression":1,"parameters":[{"name":"mu","initial":1.5,"lower":0.0,"fixed":true}],)"
      R"("nodes":[{"op":"column","name":"x"},{"op":"parameter","name":"mu"},)"
      R"({"op":"subtract","operands":[0,1]},{"op":"multiply","operands":[2,2],"tags":["A"]}],)"
      R"("roots":[3]})");
}

TEST(JsonForm, GivesSeveralRootsAndTheirSharingBack) {
  const Expr x = column("x");
  const std::vector<Expr> roots = {x * x, x, exp(x * x)};
  const auto again = parse_json_form(print_json(roots), {});
  ASSERT_EQ(again.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_TRUE(same(again[i], roots[i]));
  }
  EXPECT_EQ(operands_first(again).size(), operands_first(roots).size());
}

TEST(JsonForm, KeepsEveryFieldOfAParameter) {
  const Parameter p{.name = "phase",
                    .initial = 0.1,
                    .initial_lower = 0.0,
                    .initial_upper = 1.0 / 3,
                    .lower = -1.0,
                    .upper = 1.0,
                    .periodic = true,
                    .fixed = true,
                    .scale = 1e-3,
                    .unit = "rad",
                    .latex = "\\phi",
                    .description = "a \"phase\" in \xc2\xb5"};
  const Expr root = parameter(p);
  const auto again = parse_json_form(print_json({&root, 1}), {});
  EXPECT_EQ(*again.at(0).node().parameter, p);
}

TEST(JsonForm, RefusesADocumentByNodeAndField) {
  EXPECT_THAT(refusal("{"), HasSubstr("not valid JSON at line 1"));
  EXPECT_THAT(refusal("[]"), HasSubstr("\"weir_expression\" is missing"));
  EXPECT_THAT(refusal(R"({"weir_expression": 2})"), HasSubstr("reads version 1, not 2"));
  EXPECT_THAT(refusal(R"({"weir_expression": 1, "nodse": []})"),
              HasSubstr("nodse: unknown key; did you mean \"nodes\"?"));
  EXPECT_THAT(refused_nodes(R"({"op": "column", "name": "x"})", ""), HasSubstr("roots: there is"));
  EXPECT_THAT(refused_nodes(R"({"op": "column", "name": "x"})", "1"),
              HasSubstr("roots[0]: 1 is not among the 1 nodes before"));
  EXPECT_THAT(refused_nodes("3"), HasSubstr("nodes[0]: "));
  EXPECT_THAT(refused_nodes(R"({"op": "adt"})"),
              HasSubstr("nodes[0]: op: \"adt\" is no operation; did you mean \"add\"?"));
  EXPECT_THAT(refused_nodes(R"({"op": "constant", "value": 1}, {"op": "exp", "operands": [1]})"),
              HasSubstr("nodes[1]: operands[0]: 1 is not among the 1 nodes before"));
  EXPECT_THAT(refused_nodes(R"({"op": "constant", "value": 1}, {"op": "exp", "operands": [-1]})"),
              HasSubstr("nodes[1]: operands[0]: -1"));
  EXPECT_THAT(refused_nodes(R"({"op": "constant", "value": 1}, {"op": "not", "operands": [0]})"),
              HasSubstr("nodes[1]: not: needs 1 truth value, not (Real)"));
  EXPECT_THAT(refused_nodes(R"({"op": "constant", "value": "NaN"})"),
              HasSubstr("nodes[0]: value: expected a number, \"nan\""));
  EXPECT_THAT(refused_nodes(R"({"op": "constant", "value": 1, "exponent": 2})"),
              HasSubstr("nodes[0]: exponent: unknown key"));
  EXPECT_THAT(refused_nodes(R"({"op": "parameter", "name": "nu"})"),
              HasSubstr("nodes[0]: name: \"nu\" is not among the parameters"));
  EXPECT_THAT(refused_nodes(R"({"op": "column", "name": ""})"), HasSubstr("the name is empty"));
  EXPECT_THAT(refused_nodes(R"({"op": "momentum", "name": "p", "component": "m"})"),
              HasSubstr("nodes[0]: component: expected e, px, py or pz, found \"m\""));
  EXPECT_THAT(
      refused_nodes(R"({"op": "matrix", "operands": [], "rows": 4000000000, "columns": 1})"),
      HasSubstr("rows: 4000000000 is out of range"));
  EXPECT_THAT(
      refused_nodes(R"({"op": "matrix", "operands": [], "rows": 2000000000, "columns": 2})"),
      HasSubstr("nodes[0]: matrix: must have 1 to 4096 elements"));
  EXPECT_THAT(refused_nodes(R"({"op": "constant", "value": 1},
                               {"op": "power_integer", "operands": [0], "exponent": 3000})"),
              HasSubstr("nodes[1]: power"));
  EXPECT_THAT(refused_nodes(R"({"op": "constant", "value": 1}, {"op": "vector", "operands": [0]},
                               {"op": "element", "operands": [1], "index": [0, 0]})"),
              HasSubstr("nodes[2]: index: expected 1 numbers, found 2"));
  EXPECT_THAT(refused_nodes(R"({"op": "call", "function": "norml", "operands": []})"),
              HasSubstr("nodes[0]: function: \"norml\" is no function"));
  EXPECT_THAT(refused_nodes(R"({"op": "column", "name": "x", "tags": [1]})"),
              HasSubstr("nodes[0]: tags[0]: expected string, found integer"));
  EXPECT_THAT(refusal(R"({"weir_expression": 1, "parameters": [{"name": "a"}, {"name": "a"}],
                          "nodes": [], "roots": []})"),
              HasSubstr("parameters[1]: name: \"a\" is defined already"));
  EXPECT_THAT(refusal(R"({"weir_expression": 1, "parameters": [{"name": "a", "lower": 1}],
                          "nodes": [], "roots": []})"),
              HasSubstr("parameters[0]: parameter a: no initial value"));
  EXPECT_THAT(refusal(R"({"weir_expression": 1, "parameters": [{"name": "a", "fixed": 1}],
                          "nodes": [], "roots": []})"),
              HasSubstr("parameters[0]: fixed: expected bool, found integer"));
}

TEST(JsonForm, RefusesToWriteWhatIsNoText) {
  const Expr root = column("a\xff") + 1;
  try {
    print_json({&root, 1});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.text(), "column: \"a\\xff\" is no UTF-8, which JSON needs");
  }
}

}  // namespace
}  // namespace weir::model
