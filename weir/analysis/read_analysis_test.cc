#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "weir/analysis/analysis.h"
#include "weir/analysis/histogram.h"
#include "weir/core/error.h"

namespace weir::analysis {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::string_view kWhole = R"toml(
weir_analysis = 1
[data]
file = "events.parquet"
where = "q == 0"
columns.m2 = "m*m"
[parameters]
mu = {value = 1, range = [0, 2], unit = "GeV"}
sigma = 0.5
width = {value = 3, fixed = true}
[model]
variable = "m"
range = [0, 10]
density = "normal(m, mu, sigma)"
[likelihood]
kind = "binned_nll"
bins = 20
[minimiser]
minos = ["all"]
[outputs]
result = "out/fit.json"
)toml";

std::string refusal(std::string_view text) {
  try {
    read_analysis(text, "/data");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::invalid_spec);
    return error.text();
  }
  return "nothing was refused";
}

std::string replaced(std::string_view part, std::string_view by) {
  std::string text(kWhole);
  text.replace(text.find(part), part.size(), by);
  return text;
}

TEST(ReadAnalysis, ReadsEverySection) {
  const Analysis analysis = read_analysis(kWhole, "/data");
  EXPECT_EQ(analysis.data.file, "/data/events.parquet");
  EXPECT_EQ(analysis.outputs.result, "/data/out/fit.json");
  ASSERT_EQ(analysis.parameters.size(), 3U);
  EXPECT_EQ(analysis.parameters[0].name, "mu");
  EXPECT_EQ(analysis.parameters[0].upper, 2.0);
  EXPECT_EQ(analysis.parameters[1].initial, 0.5);
  EXPECT_TRUE(analysis.parameters[2].fixed);
  EXPECT_THAT(analysis.model.range, ElementsAre(ElementsAre(0.0, 10.0)));
  EXPECT_EQ(analysis.likelihood.kind, Kind::binned_nll);
  EXPECT_EQ(analysis.likelihood.bins, 20);
  EXPECT_THAT(analysis.minimiser.minos, ElementsAre("all"));
  const Analysis two = read_analysis(replaced("range = [0, 10]", "range = [[0, 1], [3, 5]]"), "");
  EXPECT_THAT(two.model.range, ElementsAre(ElementsAre(0.0, 1.0), ElementsAre(3.0, 5.0)));
}

TEST(ReadAnalysis, NamesSectionAndFieldOfEveryProblem) {
  EXPECT_THAT(refusal("[data]\n"), HasSubstr("weir_analysis: is required"));
  EXPECT_THAT(refusal("weir_analysis = 2"), HasSubstr("version 2 needs a newer weir"));
  EXPECT_THAT(refusal(replaced("[likelihood]", "[likelyhood]")),
              HasSubstr("likelyhood: there is no such section; did you mean likelihood?"));
  EXPECT_THAT(refusal(replaced("variable =", "varible =")),
              AllOf(HasSubstr("model: varible"), HasSubstr("variable")));
  EXPECT_THAT(refusal(replaced("range = [0, 10]", "range = [10, 0]")),
              HasSubstr("model: range: [10, 0]: ranges must rise"));
  EXPECT_THAT(refusal(replaced("range = [0, 10]", "range = [[0, 2], [1, 3]]")),
              HasSubstr("ranges must rise and not overlap"));
  EXPECT_THAT(refusal(replaced("value = 1, range", "value = 7, range")),
              HasSubstr("initial value 7 lies outside the bounds [0, 2]"));
  EXPECT_THAT(refusal(replaced("sigma = 0.5", "sigma = \"wide\"")),
              HasSubstr("parameters.sigma: must be a number or a table, not string"));
  EXPECT_THAT(refusal(replaced("\"binned_nll\"", "\"binned\"")),
              HasSubstr("likelihood: kind: \"binned\" is not one of: nll, extended_nll"));
  EXPECT_THAT(refusal(replaced("columns.m2 = \"m*m\"", "columns.m2 = 3")),
              HasSubstr("data: columns.m2: must be an identifier with an expression"));
  EXPECT_THAT(
      refusal("weir_analysis = 1\n[model]\n"),
      AllOf(HasSubstr("data: file"), HasSubstr("model: variable"), HasSubstr("model: density")));
}

TEST(ReadAnalysis, HasASchemaOfItsOwn) {
  const Value schema = analysis_schema();
  const Value& properties = schema.at("properties");
  EXPECT_NE(properties.at("likelihood").at("properties").find("kind"), nullptr);
  EXPECT_NE(properties.at("model").at("properties").at("range").find("oneOf"), nullptr);
}

TEST(Histogram, CountsWithWeightsAndKeepsTheLastEdge) {
  const std::vector<double> x = {0.0, 0.5, 1.0, 2.0, 2.5, -1.0};
  const std::vector<double> w = {1, 2, 3, 4, 5, 6};
  const BinnedData data = histogram(x, w, {0, 1, 2});
  EXPECT_THAT(data.counts, ElementsAre(3.0, 7.0));
  EXPECT_THAT(data.squares, ElementsAre(5.0, 25.0));
}

TEST(Histogram, SharesBinsAmongRanges) {
  const Binning binning = binning_of({{0, 1}, {3, 6}}, 8);
  EXPECT_THAT(binning.edges, ElementsAre(0, 0.5, 1, 3, 3.5, 4, 4.5, 5, 5.5, 6));
  EXPECT_THAT(binning.in_range, ElementsAre(true, true, false, true, true, true, true, true, true));
}

}  // namespace
}  // namespace weir::analysis
