#include "weir/model/expr/text_form.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include "weir/core/error.h"
#include "weir/model/expr/operations.h"
#include "weir/model/expr/same.h"

namespace weir::model {
namespace {

using ::testing::HasSubstr;

Expr shape_value(std::span<const Expr> arguments) {
  return exp(-power((arguments[0] - arguments[1]) / arguments[2], 2));
}
const ModelFunction kShape{.name = "normal",
                           .arguments = {"x", "mu", "sigma"},
                           .value = &shape_value,
                           .formula = {},
                           .source = {}};

Parameter free_parameter(const std::string& name) {
  return {.name = name, .initial = 1.0};
}

const Names& names() {
  static const Names kNames{
      .parameters = {free_parameter("mu"), free_parameter("sigma"), free_parameter("z")},
      .functions = {&kShape}};
  return kNames;
}

Names with_columns(std::vector<std::string> columns) {
  Names known = names();
  known.columns = std::move(columns);
  return known;
}

Expr read(std::string_view text) {
  return parse(text, names());
}

Expr x() {
  return column("x");
}
Expr mu() {
  return parameter(free_parameter("mu"));
}

void expect_same(std::string_view text, const Expr& expected) {
  SCOPED_TRACE(text);
  const Expr found = read(text);
  EXPECT_TRUE(same(found, expected)) << print(found) << "\nis not\n" << print(expected);
  EXPECT_TRUE(same(parse(print(expected), names_of(expected)), expected)) << print(expected);
}

std::string refusal(std::string_view text, const Names& known = names()) {
  try {
    parse(text, known);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::invalid_spec);
    return error.text();
  }
  return "nothing was refused";
}

TEST(TextForm, BindsAsMathematicsAndPython) {
  expect_same("1 + 2*x", 1 + 2 * x());
  expect_same("x - mu - z", x() - mu() - parameter(free_parameter("z")));
  expect_same("x - (mu - 1)", x() - (mu() - 1));
  expect_same("x/mu/2", x() / mu() / 2);
  expect_same("-x^2", -power(x(), 2));
  expect_same("(-x)**2", power(-x(), 2));
  expect_same("-x*mu", (-x()) * mu());
  expect_same("-(x*mu)", -(x() * mu()));
  expect_same("2^x^mu", power(2, power(x(), mu())));
  expect_same("(2^x)^mu", power(power(2, x()), mu()));
  expect_same("x^-2", power(x(), -2));
  expect_same("x^(-2)", power(x(), -2));
  expect_same("x^-mu", power(x(), -mu()));
  expect_same("x^2.0", power(x(), Expr(2)));
  expect_same("power(x, 2)", power(x(), Expr(2)));
  expect_same("x^2.5", power(x(), Expr(2.5)));
}

TEST(TextForm, ReadsTruthValues) {
  expect_same("select(x < 1 and not x <= mu or x == 2, x, -x)",
              select(logical_or(logical_and(less(x(), 1), logical_not(less_equal(x(), mu()))),
                                equal(x(), 2)),
                     x(), -x()));
  expect_same("x > 1", less(1, x()));
  expect_same("x >= 1", less_equal(1, x()));
  expect_same("x != 1", logical_not(equal(x(), 1)));
  expect_same("not not x < 1", logical_not(logical_not(less(x(), 1))));
  expect_same("not (x < 1 and x < 2)", logical_not(logical_and(less(x(), 1), less(x(), 2))));
}

TEST(TextForm, ReadsNumbersBitForBit) {
  for (const double value :
       {0.0, -0.0, 1.0, 0.1, 1.0 / 3, 1e300, 5e-324, 1e16, 123456789012.0, std::numbers::pi,
        std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
        std::numeric_limits<double>::quiet_NaN(), -2.5}) {
    expect_same(print(constant(value)), constant(value));
    expect_same(print(constant(value, -value)), constant(value, -value));
    expect_same(print(constant(0, value)), constant(0, value));
    expect_same(print(-constant(value)), -constant(value));
    expect_same(print(x() - constant(value)), x() - constant(value));
    expect_same(print(power(constant(value), 2)), power(constant(value), 2));
    expect_same(print(power(x(), Expr(value))), power(x(), Expr(value)));
    expect_same(print(complex(value, 1)), complex(value, 1));
  }
  expect_same("1. + .5 + 1E-3 + 1.5e+3", Expr(1) + 0.5 + 1e-3 + 1500);
  expect_same("2i*x", constant(0, 2) * x());
  expect_same("complex(1, -2)", constant(1, -2));
  expect_same("complex((1), (2))", complex(1, 2));
  expect_same("-2 - -(2)", Expr(-2) - (-Expr(2)));
  expect_same("sin(pi)", sin(std::numbers::pi));
  EXPECT_THAT(refusal("1e999"), HasSubstr("1e999 is beyond the range of numbers"));
}

TEST(TextForm, ReadsFunctionsVectorsAndMomenta) {
  const Expr v = vector({x(), 1});
  const Expr m = matrix(2, 2, {1, 2, 3, x()});
  expect_same("normal(x, mu, sigma)",
              call(kShape, {x(), mu(), parameter(free_parameter("sigma"))}));
  expect_same("[x, 1][1]", element(v, 1));
  expect_same("[[1, 2], [3, x]][0, 1]", element(m, 0, 1));
  expect_same("dot(solve(transpose([[1, 2], [3, x]]), [x, 1]), matmul([[1, 2], [3, x]], [x, 1]))",
              dot(solve(transpose(m), v), matmul(m, v)));
  expect_same("p1.e + p1.px*p1.py - p1.pz + `K+`.E",
              momentum("p1", MomentumComponent::e) +
                  momentum("p1", MomentumComponent::px) * momentum("p1", MomentumComponent::py) -
                  momentum("p1", MomentumComponent::pz) + momentum("K+", MomentumComponent::e));
  expect_same("norm_sqr(cis(x))", norm_sqr(cis(x())));
  expect_same("select(x < 1, min(x, 1), max(x, 2))",
              select(less(x(), 1), min(x(), 1), max(x(), 2)));
}

TEST(TextForm, KnowsTheFunctionsOfTheRegistry) {
  const Expr read = parse("normal(x, mu, 2)", {.parameters = {free_parameter("mu")}});
  EXPECT_EQ(read.node().function, find_model_function("normal"));
  EXPECT_TRUE(same(parse(print(read), names_of(read)), read));
}

TEST(TextForm, KnowsColumnsOfAnyName) {
  for (const char* name : {"x", "pulse height", "mu", "pi", "not", "a`b", "p1.e", "\xc2\xb5", "a\\",
                           "line\nend", "\"", "t1", "1"}) {
    const Expr same_name = column(name) * column(name) + mu() + exp(column("y"));
    EXPECT_TRUE(same(parse(print(same_name), names_of(same_name)), same_name)) << print(same_name);
    const Expr particle = momentum(name, MomentumComponent::pz);
    EXPECT_TRUE(same(parse(print(particle), names_of(particle)), particle)) << print(particle);
  }
  const Expr named_as_word = parameter(free_parameter("pi")) + std::numbers::pi;
  EXPECT_TRUE(same(parse(print(named_as_word), names_of(named_as_word)), named_as_word));
}

TEST(TextForm, ReadsDefinitionsCommentsAndTags) {
  const Expr t = x() * x();
  expect_same("t = x*x; t + t", t + t);
  expect_same("# a comment\n\nt = x *\n  x # and more\n\nt + (t\n)\n", t + t);
  expect_same("tag(x, \"A\", \"B \\\"\") + tag(tag(x, \"A\"), \"C\")",
              x().tagged({"A", "B \""}) + x().tagged({"A", "C"}));
  Names before = names();
  before.definitions.emplace_back("t", t);
  EXPECT_TRUE(same(parse("t + 1", before), t + 1));
  EXPECT_THAT(refusal("t = x", before), HasSubstr("\"t\" is a definition already"));
  EXPECT_THAT(refusal("mu = x; mu"), HasSubstr("\"mu\" is a parameter already"));
  EXPECT_THAT(refusal("t = t; t"), HasSubstr("\"t\" is read as a column already"));
  EXPECT_THAT(refusal("pi = 3; pi"), HasSubstr("\"pi\" is a word of the language"));
  EXPECT_THAT(refusal("x\ny"), HasSubstr("line 2, column 1: the statement before"));
}

TEST(TextForm, SaysWhereAndWhat) {
  EXPECT_EQ(refusal("t = x\nz*normal(t, mu, sigma"),
            "line 2, column 22: expected \")\" or an operator, found the end of the text "
            "(\"(\" was opened 13 characters before)\n"
            "  z*normal(t, mu, sigma\n"
            "                       ^");
  EXPECT_EQ(refusal("x + erf(1i)*2"),
            "line 1, column 5: erf: needs 1 real scalar, not (Complex)\n"
            "  x + erf(1i)*2\n"
            "      ^");
  EXPECT_THAT(refusal("x + (x < 1)"), HasSubstr("line 1, column 3: add: needs 2"));
  EXPECT_THAT(refusal("x < 1 < 2"), HasSubstr("column 7: comparisons do not chain"));
  EXPECT_THAT(refusal("2x"), HasSubstr("column 2: a number runs into a name; to multiply: 2 * x"));
  EXPECT_THAT(refusal("x = = 2"), HasSubstr("expected a value, found \"=\""));
  EXPECT_THAT(refusal("(x) = 2"), HasSubstr("(to compare: ==)"));
  EXPECT_THAT(refusal(""), HasSubstr("found nothing"));
  EXPECT_THAT(refusal("t = x"), HasSubstr("expected an expression after the definitions"));
  EXPECT_THAT(refusal("x)"), HasSubstr("\")\" closes nothing"));
  EXPECT_THAT(refusal("x @ 2"), HasSubstr("\"@\" has no meaning here"));
  EXPECT_THAT(refusal("`x"), HasSubstr("expected a closing `"));
  EXPECT_THAT(refusal("[[1, 2], [3]]"), HasSubstr("matrix: rows of 2 and 1 elements"));
  EXPECT_THAT(refusal("[1, 2][x]"), HasSubstr("expected a whole number as index, found \"x\""));
  EXPECT_THAT(refusal("[1, 2][0, 0]"), HasSubstr("a Vector[2] takes one index"));
  EXPECT_THAT(refusal("p1.mass"), HasSubstr("column 4: expected a component e, px, py or pz"));
  EXPECT_THAT(refusal("x^2000"), HasSubstr("-1024 to 1024"));
  EXPECT_THAT(refusal("tag(x)"), HasSubstr("expected a comma and a tag"));
  EXPECT_THAT(refusal("x + not x < 1"), HasSubstr("put it in parentheses"));
  EXPECT_THAT(refusal("normal(x, mu)"), HasSubstr("column 1: normal: takes 3 arguments"));
  EXPECT_THAT(refusal("f(x, , y)"), HasSubstr("expected a value, found \",\""));
}

TEST(TextForm, OffersTheNearestName) {
  EXPECT_THAT(refusal("norml(x, mu, sigma)"),
              HasSubstr("\"norml\" is no function; did you mean \"normal\"?"));
  EXPECT_THAT(refusal("sqr(x)"), HasSubstr("did you mean \"sqrt\"?"));
  const Names known = with_columns({"mass", "p1.e", "p1.px"});
  EXPECT_THAT(refusal("mas + mu", known),
              HasSubstr("\"mas\" is no parameter, column or definition; did you mean \"mass\"?"));
  EXPECT_THAT(refusal("mass*sigm", known), HasSubstr("column 6: \"sigm\" is no parameter"));
  EXPECT_THAT(refusal("p2.e", known), HasSubstr("did you mean \"p1.e\"?"));
  EXPECT_TRUE(
      same(parse("p1.e*mass", known), momentum("p1", MomentumComponent::e) * column("mass")));
}

TEST(TextForm, RefusesDepthButNotLength) {
  const auto nested = [](std::string_view opening, std::string_view closing, int levels) {
    std::string text;
    for (int i = 0; i < levels; ++i) {
      text += opening;
    }
    text += "x < 1";
    for (int i = 0; i < levels; ++i) {
      text += closing;
    }
    return text;
  };
  EXPECT_EQ(refusal(nested("(", ")", 256)), "nothing was refused");
  for (const char* opening : {"(", "[", "-", "not ", "2^", "sin("}) {
    EXPECT_THAT(refusal(nested(opening, "", 100'000)), HasSubstr("nested deeper than 256 levels"));
  }
  std::string sum = "x";
  for (int i = 1; i < 100'000; ++i) {
    sum += " + x*" + std::to_string(i);
  }
  const Expr long_sum = read(sum);
  EXPECT_EQ(print(long_sum), sum);
}

TEST(TextForm, PrintsReadably) {
  const Expr t = (x() - mu()) / parameter(free_parameter("sigma"));
  EXPECT_EQ(print(exp(-power(t, 2) / 2)), "exp(-((x - mu)/sigma)^2/2)");
  EXPECT_EQ(print(t * exp(t)), "t1 = (x - mu)/sigma\nt1*exp(t1)");
  EXPECT_EQ(print(x() * x() - x()), "x*x - x");
  EXPECT_EQ(print(x() * std::numbers::pi), "x*pi");
  EXPECT_EQ(print(-2 * x() - (-2) * (-x())), "-2*x - (-2*(-x))");
  EXPECT_EQ(print(column("t1") * exp(t) + t), "t2 = (x - mu)/sigma\nt1*exp(t2) + t2");
}

}  // namespace
}  // namespace weir::model
