#include "weir/formats/tables/grouped_table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/json.h"
#include "weir/formats/table_numbers.h"
#include "weir/testing/conformance.h"
#include "weir/testing/format_conformance.h"
#include "weir/testing/required.h"

namespace weir::formats {
namespace {
namespace fs = std::filesystem;
using testing::expect_error;

fs::path golden(const std::string& name) {
  return fs::path(WEIR_SOURCE_DIR) / "weir/formats/tables/golden" / name;
}

/// What one of the golden files is read by.
struct Kind {
  std::string file;
  TableFile kind;
};

class GroupedTable : public ::testing::TestWithParam<Kind> {
 public:
  void SetUp() override {
    try {
      table_library();
    } catch (const Error& error) {
      if (testing::is_required("arrow")) {
        FAIL() << error.what();
      }
      GTEST_SKIP() << error.what();
    }
  }
  std::shared_ptr<const TableSource> table() const {
    return open_grouped_table(golden(GetParam().file), GetParam().kind);
  }
};

std::map<std::int64_t, double> read(const std::shared_ptr<const TableSource>& table,
                                    const std::string& column, RowRange rows,
                                    const std::string& where = {}) {
  std::map<std::int64_t, double> values;
  TableNumbers(table, {.columns = {column}, .momenta = {}, .where = where})
      .read(rows, [&](const NumberBatch& batch) {
        for (std::size_t i = 0; i < batch.rows.size(); ++i) {
          EXPECT_TRUE(values.emplace(batch.rows[i], batch.columns[0][i]).second);
        }
      });
  return values;
}

/// The columns of golden/make.py.
double expected(const std::string& column, std::int64_t row) {
  const auto n = static_cast<double>(row);
  const std::map<std::string, double> values{{"flag", row % 3 == 0 ? 1 : 0},
                                             {"i1", n - 5},
                                             {"i2", -300 * n},
                                             {"i4", -70000 * n},
                                             {"i8", (n - 5) * 0x1p40},
                                             {"u1", 25 * n},
                                             {"u2", 7000 * n},
                                             {"u4", 4e8 * n},
                                             {"u8", n * 0x1p45},
                                             {"f4", n / 4},
                                             {"f8", n / 10}};
  return values.at(column);
}

TEST_P(GroupedTable, TellsColumnsRowsAndGroups) {
  const auto source = table();
  const auto& info = source->info();
  EXPECT_EQ(info.rows, 10);
  EXPECT_EQ(info.group_ends, (std::vector<std::int64_t>{4, 8, 10}));
  ASSERT_EQ(info.schema.columns.size(), 14U);
  EXPECT_EQ(info.schema.columns[3].name, "i4");
  EXPECT_EQ(info.schema.columns[3].type, ColumnType::int32);
  ASSERT_EQ(info.refused.size(), 2U);
  EXPECT_EQ(info.refused[0].name, "jagged");
  EXPECT_EQ(info.refused[1].what, "of type timestamp[ms]");
}

TEST_P(GroupedTable, ReadsEveryTypeOfNumberInAnyRange) {
  const auto source = table();
  for (const std::string column :
       {"flag", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8"}) {
    for (std::int64_t first = 0; first <= 10; ++first) {
      for (std::int64_t stop = first; stop <= 10; ++stop) {
        const auto values = read(source, column, {first, stop - first});
        ASSERT_EQ(std::ssize(values), stop - first) << column;
        for (const auto& [row, value] : values) {
          ASSERT_TRUE(row >= first && row < stop);
          if (column == "f8" && row == 6) {
            ASSERT_TRUE(std::isnan(value));
          } else {
            ASSERT_EQ(value, expected(column, row)) << column << ' ' << row;
          }
        }
      }
    }
  }
}

TEST_P(GroupedTable, RefusesWhatIsNoNumberByColumnAndRow) {
  const auto source = table();
  expect_error(ErrorCode::corrupt_data, "column holes: row 7 is null",
               [&] { read(source, "holes", {0, 10}); });
  EXPECT_EQ(read(source, "holes", {0, 7}).size(), 7U);
  EXPECT_EQ(read(source, "holes", {0, 10}, "i1 != 2").size(), 9U);
  expect_error(ErrorCode::corrupt_data, "column huge: row 8 is a whole number beyond 2^53",
               [&] { read(source, "huge", {0, 10}); });
  expect_error(ErrorCode::invalid_spec, "column text holds text",
               [&] { read(source, "text", {0, 10}); });
  expect_error(ErrorCode::invalid_spec, "column jagged is of type list",
               [&] { read(source, "jagged", {0, 10}); });
}

TEST_P(GroupedTable, KeepsTheRowsOfACut) {
  const auto source = table();
  const auto kept = read(source, "u1", {1, 9}, "i4 <= -280000 and f4 < 2");
  EXPECT_EQ(kept, (std::map<std::int64_t, double>{{4, 100}, {5, 125}, {6, 150}, {7, 175}}));
}

INSTANTIATE_TEST_SUITE_P(Files, GroupedTable,
                         ::testing::Values(Kind{"numbers.parquet", TableFile::parquet},
                                           Kind{"numbers.arrow", TableFile::arrow_ipc}),
                         [](const auto& kind) {
                           return kind.param.kind == TableFile::parquet ? "parquet" : "arrow";
                         });

TEST_P(GroupedTable, SkipsOnlyGroupsThatTheirStatisticsRuleOut) {
  if (GetParam().kind != TableFile::parquet) {
    EXPECT_FALSE(table()->range(1, 0).has_value());
    return;
  }
  const auto source = table();
  const auto column = [&](const std::string& name) { return find_column(source->info(), name); };
  EXPECT_EQ(source->range(column("i1"), 1)->smallest, -1);
  EXPECT_EQ(source->range(column("i1"), 1)->largest, 2);
  EXPECT_EQ(source->range(column("f4"), 2)->largest, 2.25);
  EXPECT_TRUE(source->range(column("holes"), 0).has_value());
  EXPECT_FALSE(source->range(column("holes"), 1).has_value());
  EXPECT_FALSE(source->range(column("huge"), 2).has_value());
  EXPECT_FALSE(source->range(column("text"), 0).has_value());
  // The group with the hole of row 7 is not read, which would be refused.
  EXPECT_EQ(read(source, "holes", {0, 10}, "i1 < -3").size(), 2U);
}

TEST(GroupedTableOfTheWild, HoldsTheMomentaThatNumPySees) {
  const char* root = std::getenv("WEIR_TEST_DATA");
  const fs::path file =
      (root != nullptr ? fs::path(root) : fs::path(WEIR_SOURCE_DIR) / "../shared/data") /
      "physics/kshort_pair_10k.parquet";
  try {
    table_library();
  } catch (const Error& error) {
    GTEST_SKIP() << error.what();
  }
  if (!fs::exists(file)) {
    if (testing::is_required("data")) {
      FAIL() << file << " is not there";
    }
    GTEST_SKIP() << file << " is not there";
  }
  const auto facts = parse_json(read_text_file(golden("kshort_facts.json").string()));
  const std::shared_ptr<const TableSource> table = open_grouped_table(file, TableFile::parquet);
  const std::int64_t rows = table->info().rows;
  EXPECT_EQ(rows, facts.find("rows")->as_integer());
  for (const auto& [name, fact] : facts.find("columns")->as_object()) {
    const auto values = read(table, name, {0, rows});
    double sum = 0;
    for (const auto& [row, value] : values) {
      sum += value;
    }
    EXPECT_NEAR(sum, fact.find("sum")->as_number(), 1e-9 * static_cast<double>(rows)) << name;
    EXPECT_EQ(values.at(0), fact.find("first")->as_number()) << name;
    EXPECT_EQ(values.at(rows - 1), fact.find("last")->as_number()) << name;
  }
  const auto kept = read(table, "weight", {0, rows}, "weight < -0.5");
  const auto& expected_rows = facts.find("rows_with_weight_below_minus_half")->as_array();
  ASSERT_EQ(kept.size(), expected_rows.size());
  ASSERT_FALSE(kept.empty());
  for (std::size_t i = 0; const auto& [row, value] : kept) {
    EXPECT_EQ(row, expected_rows[i++].as_integer());
  }
  EXPECT_EQ(find_momentum(table->info(), "kshort1").columns[0], "kshort1_e");
}
}  // namespace
}  // namespace weir::formats
