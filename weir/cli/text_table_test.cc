#include "weir/cli/text_table.h"

#include <gtest/gtest.h>

namespace weir::cli {
namespace {
TEST(TextTable, AlignsColumnsByWhatIsShown) {
  TextTable table({"unit", "gain"});
  table.row({"µV", "0.195"});
  table.row({"count", "1"});
  EXPECT_EQ(table.text(), "unit    gain\nµV     0.195\ncount      1\n");
}

TEST(TextTable, LeavesNoSpacesAtTheEndOfALine) {
  TextTable table;
  table.row({"a", ""});
  table.row({"longer", "b"});
  EXPECT_EQ(table.text(2), "  a\n  longer  b\n");
}

TEST(TextTable, TakesRowsOfDifferentLengths) {
  TextTable table;
  table.row({"only"});
  table.row({"two", "cells"});
  EXPECT_EQ(table.text(), "only\ntwo   cells\n");
}
}  // namespace
}  // namespace weir::cli
