#include "weir/model/expr/expr.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weir/core/error.h"
#include "weir/model/expr/operations.h"

namespace weir::model {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string text_of_refusal(const std::function<void()>& body) {
  try {
    body();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::invalid_spec);
    return error.text();
  }
  return "nothing was refused";
}

Expr real(const std::string& name) {
  return parameter({.name = name, .initial = 1.0});
}

TEST(Expr, NothingRealTurnsComplexByItself) {
  const Expr x = column("x");
  EXPECT_TRUE(sqrt(x).kind().is_real());
  EXPECT_TRUE(log(x).kind().is_real());
  EXPECT_TRUE(csqrt(x).kind().is_complex());
  EXPECT_TRUE((x * constant(0, 1)).kind().is_complex());
  EXPECT_TRUE(norm_sqr(csqrt(x)).kind().is_real());
  EXPECT_THAT(text_of_refusal([&] { sqrt(csqrt(x)); }),
              HasSubstr("sqrt: needs 1 real scalar (of a complex value: csqrt), not (Complex)"));
  EXPECT_THAT(text_of_refusal([&] { erf(csqrt(x)); }),
              HasSubstr("erf: needs 1 real scalar, not (Complex)"));
}

TEST(Expr, TruthValuesAndNumbersDoNotMix) {
  const Expr x = column("x");
  EXPECT_TRUE(less(x, 1).kind().is_boolean());
  EXPECT_THAT(text_of_refusal([&] { less(x, 1) + x; }),
              HasSubstr("add: needs 2 real or complex scalars, not (Bool, Real)"));
  EXPECT_THAT(text_of_refusal([&] { select(x, x, x); }), HasSubstr("select"));
  EXPECT_TRUE(select(less(x, 1), x, csqrt(x)).kind().is_complex());
}

TEST(Expr, ShapesMustFit) {
  const Expr x = column("x");
  const Expr v = vector({x, 2, 3});
  const Expr m = matrix(2, 3, {1, 2, 3, 4, 5, x});
  EXPECT_EQ(matmul(m, v).kind(), Kind::vector(Element::real, 2));
  EXPECT_EQ(matmul(m, transpose(m)).kind(), Kind::matrix(Element::real, 2, 2));
  EXPECT_EQ((2 * m).kind(), m.kind());
  EXPECT_EQ((v * constant(0, 1)).kind(), Kind::vector(Element::complex, 3));
  EXPECT_THAT(text_of_refusal([&] { matmul(v, m); }), HasSubstr("Vector[3] times Matrix[2x3]"));
  EXPECT_THAT(text_of_refusal([&] { m + transpose(m); }), HasSubstr("shapes must be equal"));
  EXPECT_THAT(text_of_refusal([&] { v* v; }), HasSubstr("matrix products are matmul and dot"));
  EXPECT_THAT(text_of_refusal([&] { element(v, 3); }), HasSubstr("[3] lies outside a Vector[3]"));
  EXPECT_THAT(text_of_refusal([&] { solve(m, v); }), HasSubstr("square matrix"));
  EXPECT_THAT(text_of_refusal([&] { matrix(2, 2, {1, 2, 3}); }),
              HasSubstr("need 4 elements, not 3"));
}

TEST(Expr, ListsColumnsAndParametersOnceInOrder) {
  const Expr model = real("b") * column("y") + real("a") * column("x") +
                     momentum("p1", MomentumComponent::e) * real("b");
  EXPECT_THAT(columns_of({&model, 1}), ElementsAre("y", "x", "p1.e"));
  const auto parameters = parameters_of({&model, 1});
  ASSERT_EQ(parameters.size(), 2U);
  EXPECT_EQ(parameters[0]->name, "b");
  EXPECT_EQ(parameters[1]->name, "a");
}

TEST(Expr, RefusesOneNameWithTwoDefinitions) {
  const Expr model = parameter({.name = "a", .initial = 1.0}) +
                     parameter({.name = "a", .initial = 1.0, .upper = 2.0});
  EXPECT_THAT(text_of_refusal([&] { parameters_of({&model, 1}); }),
              HasSubstr("parameter a is defined twice and differs: upper bound none and 2"));
}

TEST(Expr, ChecksParameters) {
  EXPECT_THAT(text_of_refusal([] { parameter({.name = "1a"}); }), HasSubstr("\"1a\""));
  EXPECT_THAT(text_of_refusal([] { parameter({.name = "a", .initial = 3.0, .upper = 2.0}); }),
              HasSubstr("initial value 3 lies outside the bounds [-inf, 2]"));
  EXPECT_THAT(text_of_refusal([] { parameter({.name = "a", .lower = 1.0}); }),
              HasSubstr("no initial value"));
  EXPECT_THAT(text_of_refusal([] { parameter({.name = "a", .lower = 1.0, .upper = 1.0}); }),
              HasSubstr("not below"));
  EXPECT_THAT(text_of_refusal([] { parameter({.name = "a", .periodic = true}); }),
              HasSubstr("periodic"));
  EXPECT_THAT(text_of_refusal([] { parameter({.name = "a", .fixed = true}); }),
              HasSubstr("fixed needs a value"));
  EXPECT_DOUBLE_EQ(start_of({.name = "a", .initial_lower = 1.0, .initial_upper = 4.0}), 2.5);
}

TEST(Expr, ProjectsOnTags) {
  const Expr wave_a = (real("a") * column("x")).tagged({"A"});
  const Expr wave_b = (real("b") * column("y")).tagged({"B", "both"});
  const Expr model = norm_sqr(complex(wave_a, wave_b)) + real("c");
  const std::vector<std::string> only_a = {"A"};
  const Expr kept = project(model, only_a);
  EXPECT_THAT(columns_of({&kept, 1}), ElementsAre("x"));
  EXPECT_EQ(parameters_of({&kept, 1}).size(), 2U);
  const std::vector<std::string> none;
  const Expr bare = project(model, none);
  EXPECT_THAT(columns_of({&bare, 1}), ElementsAre());
  EXPECT_THAT(columns_of({&model, 1}), ElementsAre("x", "y"));
  const Expr chosen = select(less(column("x"), 1).tagged({"A"}), 1, 2);
  EXPECT_TRUE(project(chosen, none).node().operands[0].kind().is_boolean());
}

TEST(Expr, GraphsMayBeDeepAndShared) {
  Expr chain = column("x");
  for (int i = 0; i < 1'000'000; ++i) {
    chain = chain + 1;
  }
  Expr doubled = column("x");
  for (int i = 0; i < 64; ++i) {
    doubled = doubled * doubled;  // 2^64 paths, 65 nodes
  }
  EXPECT_EQ(operands_first({&chain, 1}).size(), 2'000'001U);
  EXPECT_EQ(operands_first({&doubled, 1}).size(), 65U);
  EXPECT_EQ(columns_of({&doubled, 1}).size(), 1U);
}

}  // namespace
}  // namespace weir::model
