#include "weir/formats/table_cut.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "weir/testing/conformance.h"

namespace weir::formats {
namespace {
using testing::expect_error;

TEST(TableCut, ReadsComparisonsEitherWayRound) {
  const auto cut =
      TableCut::parse("mass > 70 and -1.5e-3<=\"a b\" and charge==+1 and 'x' != 0 and p[2] <inf");
  ASSERT_EQ(cut.terms.size(), 5U);
  EXPECT_EQ(cut.terms[0].column, "mass");
  EXPECT_EQ(cut.terms[0].comparison, CutOperator::more);
  EXPECT_EQ(cut.terms[0].value, 70);
  EXPECT_EQ(cut.terms[1].column, "a b");
  EXPECT_EQ(cut.terms[1].comparison, CutOperator::at_least);
  EXPECT_EQ(cut.terms[1].value, -1.5e-3);
  EXPECT_EQ(cut.terms[2].comparison, CutOperator::equal);
  EXPECT_EQ(cut.terms[2].value, 1);
  EXPECT_EQ(cut.terms[3].column, "x");
  EXPECT_EQ(cut.terms[4].column, "p[2]");
  EXPECT_EQ(cut.terms[4].value, std::numeric_limits<double>::infinity());
}

TEST(TableCut, TellsWhereItsTextIsWrong) {
  const auto refuses = [](const std::string& text, const std::string& part) {
    expect_error(ErrorCode::invalid_spec, part, [&] { TableCut::parse(text); });
  };
  refuses("", "expected the name of a column at character 1");
  refuses("mass", "expected one of < <= > >= == != at character 5");
  refuses("mass > ", "expected a number at character 8");
  refuses("mass > 7x", "expected a number at character 8");
  refuses("mass > nan", "expected a number at character 8");
  refuses("mass > 7 or mass < 3", "expected \"and\" or the end");
  refuses("mass > 7 and", "expected the name of a column at character 13");
  refuses("'mass > 7", "expected the end of the quotes at character 1");
  refuses("mass = 7", "expected one of");
  refuses("7 < 8", "expected the name of a column at character 5");
}

TEST(TableCut, RulesOutARangeOnlyWhenNoValueOfItPasses) {
  const ColumnRange range{.smallest = -1, .largest = 3};
  for (const auto comparison : {CutOperator::less, CutOperator::at_most, CutOperator::more,
                                CutOperator::at_least, CutOperator::equal, CutOperator::unequal}) {
    for (double bound = -2; bound <= 4; bound += 0.5) {
      const CutTerm term{.column = "x", .comparison = comparison, .value = bound};
      bool any = passes(term, std::nan(""));
      for (double value = range.smallest; value <= range.largest; value += 0.25) {
        any = any || passes(term, value);
      }
      EXPECT_EQ(may_pass(term, range), any) << static_cast<int>(comparison) << ' ' << bound;
    }
  }
}

TEST(TableCut, PutsEveryValueBetweenTheOuterEdgesIntoOneBin) {
  const auto bins = bin_cuts("x", {0, 1, 2.5});
  ASSERT_EQ(bins.size(), 2U);
  const auto bin_of = [&](double value) {
    std::string where;
    for (std::size_t i = 0; i < bins.size(); ++i) {
      if (passes(bins[i].terms[0], value) && passes(bins[i].terms[1], value)) {
        where += std::to_string(i);
      }
    }
    return where;
  };
  EXPECT_EQ(bin_of(-0.1), "");
  EXPECT_EQ(bin_of(0), "0");
  EXPECT_EQ(bin_of(1), "1");
  EXPECT_EQ(bin_of(2.5), "1");
  EXPECT_EQ(bin_of(2.6), "");
  expect_error(ErrorCode::invalid_spec, "edge 1 is not below edge 1",
               [] { bin_cuts("x", {0, 1, 1}); });
  expect_error(ErrorCode::invalid_spec, "1 edges", [] { bin_cuts("x", {0}); });
}
}  // namespace
}  // namespace weir::formats
