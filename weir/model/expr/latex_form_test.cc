#include "weir/model/expr/latex_form.h"

#include <gtest/gtest.h>

#include <numbers>

#include "weir/model/expr/operations.h"
#include "weir/model/expr/text_form.h"

namespace weir::model {
namespace {

Expr first_argument(std::span<const Expr> arguments) {
  return arguments[0];
}
const ModelFunction kShape{.name = "normal",
                           .arguments = {"x", "mu", "sigma"},
                           .value = &first_argument,
                           .formula = {},
                           .source = {}};

std::string latex(std::string_view text) {
  const Names names{.parameters = {{.name = "mu"},
                                   {.name = "sigma_1", .initial = 1.0},
                                   {.name = "width", .initial = 1.0, .latex = "\\Gamma_0"},
                                   {.name = "w", .initial = 1.0, .latex = "w^*"}},
                    .functions = {&kShape}};
  return print_latex(parse(text, names));
}

TEST(LatexForm, KnowsNames) {
  EXPECT_EQ(latex_name("mu"), R"(\mu)");
  EXPECT_EQ(latex_name("x"), "x");
  EXPECT_EQ(latex_name("sigma_1"), R"(\sigma_{1})");
  EXPECT_EQ(latex_name("sigma1"), R"(\sigma_{1})");
  EXPECT_EQ(latex_name("m_mu_max"), R"(m_{\mu,\mathrm{max}})");
  EXPECT_EQ(latex_name("slope"), R"(\mathrm{slope})");
  EXPECT_EQ(latex_name("pulse height_%"), R"(\mathrm{pulse\ height\_\%})");
  EXPECT_EQ(latex_name("_"), R"(\mathrm{\_})");
}

TEST(LatexForm, WritesFormulas) {
  EXPECT_EQ(latex("normal(x, mu, sigma_1)"), R"(\mathrm{normal}\left(x; \mu, \sigma_{1}\right))");
  EXPECT_EQ(latex("exp(-((x - mu)/sigma_1)^2/2)"),
            R"(\exp\left(-\frac{\left(\frac{x - \mu}{\sigma_{1}}\right)^{2}}{2}\right))");
  EXPECT_EQ(latex("exp(-x/2)*sqrt(x)"), R"(e^{-\frac{x}{2}}\,\sqrt{x})");
  EXPECT_EQ(latex("2*x*3 - (x - mu) + (x + 1)*-mu"),
            R"(2\,x \cdot 3 - \left(x - \mu\right) + \left(x + 1\right)\,\left(-\mu\right))");
  EXPECT_EQ(
      latex("sin(pi*x)^2 + x^-2 + x^mu + sin(x)^-1"),
      R"(\sin^{2}\left(\pi\,x\right) + x^{-2} + x^{\mu} + \left(\sin\left(x\right)\right)^{-1})");
  EXPECT_EQ(latex("1.5e-7*width"), R"(1.5 \times 10^{-7}\,\Gamma_0)");
  EXPECT_EQ(latex("norm_sqr(complex(x, mu))*conj(2i)"),
            R"(\left|x + i\,\mu\right|^{2}\,\overline{2\,i})");
  EXPECT_EQ(
      latex("select(x < 1 and not x == 2, x, mu)"),
      R"(\begin{cases} x & \text{if } x < 1 \land \lnot \left(x = 2\right) \\ \mu & \text{otherwise} \end{cases})");
  EXPECT_EQ(latex("dot([x, 1], [1, mu]) + [[x, 1], [2, 3]][0, 1]"),
            R"(\begin{pmatrix} x \\ 1 \end{pmatrix} \cdot \begin{pmatrix} 1 \\ \mu \end{pmatrix})"
            R"( + \begin{pmatrix} x & 1 \\ 2 & 3 \end{pmatrix}_{0,1})");
  EXPECT_EQ(latex("w*w^2"), R"(w^*\,\left(w^*\right)^{2})");
  EXPECT_EQ(latex("p1.e + p1.px"), R"(E_{p_{1}} + p_{x,p_{1}})");
}

TEST(LatexForm, DefinesSharedPartsOnce) {
  EXPECT_EQ(latex("t = (x - mu)/sigma_1; t*exp(t^2)"),
            "\\begin{aligned}\n"
            "t_{1} &= \\frac{x - \\mu}{\\sigma_{1}} \\\\\n"
            "f &= t_{1}\\,e^{t_{1}^{2}}\n"
            "\\end{aligned}");
}

TEST(LatexForm, IsLinearInDeepAndSharedGraphs) {
  const Expr x = column("x");
  Expr left = x;
  Expr right = x;
  Expr raised = x;
  Expr shared = x;
  for (int i = 0; i < 20'000; ++i) {
    left = left + x * Expr(i);
    right = Expr(1) / (x + right);
    raised = power(x, raised);
    shared = shared * shared + sin(shared);
  }
  for (const Expr& deep : {left, right, raised, shared}) {
    EXPECT_LT(print_latex(deep).size(), 20'000U * 100);
  }
}

}  // namespace
}  // namespace weir::model
