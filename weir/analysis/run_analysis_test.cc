#include "weir/analysis/run_analysis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "weir/analysis/build_terms_internal.h"
#include "weir/analysis/expected_counts.h"
#include "weir/analysis/fit_plot.h"
#include "weir/core/error.h"
#include "weir/fit/minimise.h"

namespace weir::analysis {
namespace {

using ::testing::HasSubstr;

/// 400 decay times and an unused column, as a file would give them.
FileColumns decays() {
  std::mt19937_64 random(3);
  FileColumns file{.names = {"t", "q"}, .values = {{}, {}}, .rows = 400};
  for (std::int64_t i = 0; i < file.rows; ++i) {
    file.values[0].push_back(-2 * std::log1p(-std::uniform_real_distribution(0.0, 1.0)(random)));
    file.values[1].push_back(static_cast<double>(i % 4));
  }
  return file;
}

Analysis lifetime(const std::string& more = "") {
  return read_analysis(
      "weir_analysis = 1\n"
      "data.file = \"decays\"\n"
      "parameters.tau = {value = 1, range = [0.1, 100]}\n" +
          more +
          "\n[model]\n"
          "variable = \"t\"\n"
          "range = [0, 1000]\n"
          "density = \"exp(-t/tau)/tau\"\n",
      "");
}

PreparedFit prepared(const Analysis& analysis, const FileColumns& file) {
  PreparedFit fit{.analysis = analysis,
                  .expressions = {},
                  .events = {},
                  .likelihood = nullptr,
                  .normalisation = {}};
  fit.expressions = parse_expressions(analysis, file.names);
  fit.events = select_events(analysis, fit.expressions, file);
  BuiltTerms built = build_terms(analysis, fit.expressions, fit.events);
  fit.normalisation = built.normalisation;
  fit.likelihood = std::make_unique<likelihood::Likelihood>(std::move(built.terms));
  return fit;
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) {
    sum += value;
  }
  return sum / static_cast<double>(values.size());
}

std::string refusal(const std::function<void()>& body) {
  try {
    body();
  } catch (const Error& error) {
    return error.text();
  }
  return "nothing was refused";
}

TEST(RunAnalysis, FitsALifetimeToItsMean) {
  const FileColumns file = decays();
  PreparedFit fit = prepared(lifetime(), file);
  EXPECT_THAT(fit.normalisation, HasSubstr("by quadrature over"));
  const Outcome outcome = run_fit(fit);
  ASSERT_TRUE(outcome.result.valid) << outcome.result.reason;
  const double tau = mean(file.values[0]);
  EXPECT_NEAR(outcome.result.value("tau"), tau, 1e-6 * tau);
  EXPECT_NEAR(outcome.result.error("tau"), tau / 20, 1e-5 * tau);
  EXPECT_NEAR(outcome.scale, 400, 1e-6);
}

TEST(RunAnalysis, CutsAndLeavesOutWithCounts) {
  FileColumns file = decays();
  Analysis analysis = lifetime("data.where = \"q != 3\"");
  analysis.model.range = {{0.5, 4}};
  const PreparedFit fit = prepared(analysis, file);
  EXPECT_EQ(fit.events.rows_cut, 100);
  EXPECT_EQ(fit.events.rows_read,
            fit.events.rows_cut + fit.events.rows_outside + fit.events.table->rows());
  for (const double t : fit.events.variable) {
    EXPECT_TRUE(t >= 0.5 && t <= 4);
  }
  analysis.model.range = {{5000, 6000}};
  EXPECT_THAT(
      refusal([&] { prepared(analysis, file); }),
      HasSubstr(
          "no event is left to fit: of 400 rows 100 do not pass data.where and 300 lie outside"));
  file.values[0][7] = NAN;
  EXPECT_THAT(refusal([&] { prepared(lifetime(), file); }),
              HasSubstr("t of row 7 is null or no number"));
}

TEST(RunAnalysis, WeightsOfTwoAreTwiceTheEventsButNotSmallerErrors) {
  const FileColumns file = decays();
  PreparedFit plain = prepared(lifetime(), file);
  PreparedFit doubled = prepared(lifetime("data.weight = \"2 + 0*q\""), file);
  const Outcome one = run_fit(plain);
  const Outcome two = run_fit(doubled);
  EXPECT_NEAR(two.result.value("tau"), one.result.value("tau"), 1e-6);
  // The sandwich of an exponential: the sample's own spread over the root of its size.
  double spread = 0;
  for (const double t : file.values[0]) {
    spread += (t - one.result.value("tau")) * (t - one.result.value("tau"));
  }
  EXPECT_NEAR(two.result.error("tau"), std::sqrt(spread) / 400, 1e-5);
  EXPECT_NEAR(two.scale, 800, 1e-6);
}

TEST(RunAnalysis, KnowsEveryKindOfLikelihood) {
  const FileColumns file = decays();
  for (const char* kind : {"extended_nll", "binned_nll"}) {
    Analysis analysis = lifetime("parameters.n = 300\nlikelihood.kind = \"" + std::string(kind) +
                                 "\"\nlikelihood.bins = 40");
    analysis.model.density = "n*exp(-t/tau)/tau";
    analysis.model.range = {{0, 20}};
    PreparedFit fit = prepared(analysis, file);
    const Outcome outcome = run_fit(fit);
    ASSERT_TRUE(outcome.result.valid) << kind << outcome.result.reason;
    EXPECT_NEAR(outcome.result.value("n"), 400, 1.0) << kind;
    EXPECT_NEAR(outcome.result.error("n"), 20, 0.1) << kind;
    EXPECT_NEAR(outcome.result.value("tau"), mean(file.values[0]), 0.02) << kind;
    EXPECT_EQ(outcome.scale, 1.0);
  }
  Analysis squares = lifetime("likelihood.kind = \"chi2\"\nlikelihood.bins = 40");
  EXPECT_THAT(refusal([&] { prepared(squares, file); }),
              HasSubstr("chi2 needs events in every bin"));
  Analysis weighted = lifetime("likelihood.kind = \"binned_nll\"\ndata.weight = \"q\"");
  EXPECT_THAT(refusal([&] { prepared(weighted, file); }),
              HasSubstr("counts of binned_nll are Poisson's"));
}

TEST(RunAnalysis, ANullIsNoReasonToStopWhereAConditionCutsItsRow) {
  FileColumns file = decays();
  file.values[1][3] = std::nan("");  // As read_columns gives a null.
  const Analysis cut = lifetime("data.where = \"q < 1e9\"");
  EXPECT_EQ(prepared(cut, file).events.rows_cut, 1);
  EXPECT_THAT(refusal([&] { prepared(lifetime("data.weight = \"q\""), file); }),
              HasSubstr("data.weight of row 3 is null or no number"));
}

TEST(RunAnalysis, ConstraintsPull) {
  const FileColumns file = decays();
  const Analysis analysis =
      lifetime("likelihood.constraints = [{parameter = \"tau\", mean = 3, sigma = 0.001}]");
  PreparedFit fit = prepared(analysis, file);
  EXPECT_NEAR(run_fit(fit).result.value("tau"), 3, 0.01);
}

TEST(RunAnalysis, NamesWhatIsNotThere) {
  const FileColumns file = decays();
  Analysis analysis = lifetime();
  analysis.model.variable = "tt";
  EXPECT_THAT(refusal([&] { prepared(analysis, file); }),
              HasSubstr("model.variable: there is no column tt; did you mean t?"));
  analysis = lifetime();
  analysis.model.density = "exp(-t/tua)/tau";
  EXPECT_THAT(refusal([&] { prepared(analysis, file); }), HasSubstr("model.density: "));
  EXPECT_THAT(refusal([&] { prepared(lifetime("parameters.unused = 1"), file); }),
              HasSubstr("parameters.unused: neither the density nor a constraint uses it"));
  EXPECT_THAT(refusal([&] { prepared(lifetime("parameters.q = 1"), file); }),
              HasSubstr("parameters.q: there is a column of this name"));
  EXPECT_THAT(refusal([&] { prepared(lifetime("data.where = \"t + 1\""), file); }),
              HasSubstr("data.where: must be Bool, not Real"));
}

TEST(RunAnalysis, DrawsWhatItFitted) {
  const FileColumns file = decays();
  Analysis analysis = lifetime("outputs.title = \"a < b\"\noutputs.bins = 20");
  analysis.model.range = {{0, 10}};
  analysis.model.components = Value::Object{{"all", "exp(-t/tau)/tau"}};
  PreparedFit fit = prepared(analysis, file);
  const Outcome outcome = run_fit(fit);
  const std::vector<double> edges = {0, 5, 10};
  const ExpectedCounts expected = expected_counts(fit, outcome, edges);
  const double tau = outcome.result.value("tau");
  const double whole = 1 - std::exp(-10 / tau);
  EXPECT_NEAR(expected.total[0],
              static_cast<double>(fit.events.table->rows()) * (1 - std::exp(-5 / tau)) / whole,
              0.05);
  EXPECT_EQ(expected.components[0].second, expected.total);
  const std::string svg = fit_plot(fit, outcome);
  EXPECT_THAT(svg, HasSubstr("a &lt; b"));
  EXPECT_THAT(svg, ::testing::EndsWith("</svg>\n"));
  // 20 bins: a dot each and one in the legend.
  std::size_t dots = 0;
  for (std::size_t at = svg.find("<circle"); at != std::string::npos;
       at = svg.find("<circle", at + 1)) {
    ++dots;
  }
  EXPECT_EQ(dots, 21U);
}

}  // namespace
}  // namespace weir::analysis
