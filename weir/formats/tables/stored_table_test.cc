#include "weir/formats/tables/stored_table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <map>

#include "weir/core/error.h"
#include "weir/formats/kinds/csv/csv.h"
#include "weir/formats/kinds/npy/npy.h"
#include "weir/formats/kinds/zarr/zarr.h"
#include "weir/formats/table_numbers.h"
#include "weir/testing/conformance.h"
#include "weir/testing/format_conformance.h"

namespace weir::formats {
namespace {
namespace fs = std::filesystem;
using testing::expect_error;

struct Kind {
  std::string file;
  const Format& (*format)();
  std::vector<std::string> columns;
};

class StoredTable : public ::testing::TestWithParam<Kind> {
 public:
  static std::shared_ptr<const TableSource> table() {
    const fs::path folder = fs::path(WEIR_SOURCE_DIR) / "weir/formats/tables/golden";
    return GetParam().format().open_table(folder / GetParam().file, {});
  }
};

std::vector<double> column_of(const std::shared_ptr<const TableSource>& table,
                              const std::string& column, RowRange rows) {
  std::vector<double> values;
  TableNumbers(table, {.columns = {column}, .momenta = {}, .where = {}})
      .read(rows, [&](const NumberBatch& batch) {
        EXPECT_EQ(batch.rows.front(), rows.first + std::ssize(values));
        values.insert(values.end(), batch.columns[0].begin(), batch.columns[0].end());
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
                                             {"f8", n / 10},
                                             {"swapped", 2.5 * n}};
  return values.at(column);
}

TEST_P(StoredTable, ReadsItsColumnsInAnyRange) {
  const auto source = table();
  EXPECT_EQ(source->info().rows, 10);
  for (const auto& column : GetParam().columns) {
    SCOPED_TRACE(column);
    for (std::int64_t first = 0; first <= 10; ++first) {
      for (std::int64_t stop = first; stop <= 10; ++stop) {
        const auto values = column_of(source, column, {first, stop - first});
        ASSERT_EQ(std::ssize(values), stop - first);
        for (std::int64_t row = first; row < stop; ++row) {
          const double value = values[static_cast<std::size_t>(row - first)];
          const bool hole = column == "f8" && row == 6 && GetParam().file != "numbers.csv";
          ASSERT_TRUE(hole ? std::isnan(value) : value == expected(column, row)) << row;
        }
      }
    }
  }
  expect_error(ErrorCode::corrupt_data, "column huge: row 8 is a whole number beyond 2^53",
               [&] { column_of(source, "huge", {0, 10}); });
  EXPECT_GT(source->read_bytes(std::vector<std::int64_t>{0}), 0U);
}

const std::vector<std::string> kArrays{"flag", "i1", "i2", "i4", "i8", "u1",
                                       "u2",   "u4", "u8", "f4", "f8"};
std::vector<std::string> with(std::vector<std::string> names, const std::string& more) {
  names.push_back(more);
  return names;
}

INSTANTIATE_TEST_SUITE_P(
    Files, StoredTable,
    ::testing::Values(Kind{"plain.npz", &npy_format, with(kArrays, "swapped")},
                      Kind{"deflated.npz", &npy_format, with(kArrays, "swapped")},
                      Kind{"numbers.zarr", &zarr_format, kArrays},
                      Kind{"numbers.csv", &csv_format, {"i1", "i8", "u4", "f4", "f8"}}),
    [](const auto& kind) {
      return kind.param.file.substr(0, kind.param.file.find('.')) +
             kind.param.file.substr(kind.param.file.find('.') + 1);
    });

TEST_P(StoredTable, RefusesByNameWhatIsNoColumnOfNumbers) {
  const auto source = table();
  const auto refuses = [&](const std::string& column, ErrorCode code, const std::string& part) {
    expect_error(code, part, [&] { column_of(source, column, {0, 10}); });
  };
  if (GetParam().format == &csv_format) {
    refuses("text", ErrorCode::invalid_spec, "column text holds text");
    refuses("holes", ErrorCode::corrupt_data, "column holes: row 7 is null");
    return;
  }
  refuses("square", ErrorCode::invalid_spec, "column square is an array of");
  if (GetParam().format == &npy_format) {
    refuses("short", ErrorCode::invalid_spec, "column short is of 3 rows");
    refuses("words", ErrorCode::invalid_spec, "column words is not of real numbers");
  }
}

TEST(CsvTable, ReadsGroupsOfRowsFromWhereTheyBegin) {
  std::string text = "a,b\n";
  for (int row = 0; row < 140'000; ++row) {
    text += std::to_string(row) + (row % 5 == 0 ? ",\"1.5\"\r\n\n" : ",2e3\n");
  }
  const testing::ScratchFolder folder;
  testing::write_string(folder / "a.csv", text);
  const std::shared_ptr<const TableSource> table = csv_format().open_table(folder / "a.csv", {});
  EXPECT_EQ(table->info().group_ends, (std::vector<std::int64_t>{65536, 131072, 140000}));
  const auto values = column_of(table, "a", {65535, 70'000});
  for (std::size_t i = 0; i < values.size(); ++i) {
    ASSERT_EQ(values[i], 65535.0 + static_cast<double>(i));
  }
  EXPECT_EQ(column_of(table, "b", {131'075, 2}), (std::vector<double>{1.5, 2000}));
  testing::write_string(folder / "b.csv", "a,b\n1,2\n3\n");
  expect_error(ErrorCode::corrupt_data, "b.csv: line 3: 1 cells, the first line has 2",
               [&] { csv_format().open_table(folder / "b.csv", {}); });
  testing::write_string(folder / "c.csv", "");
  expect_error(ErrorCode::corrupt_data, "c.csv: is empty",
               [&] { csv_format().open_table(folder / "c.csv", {}); });
}
}  // namespace
}  // namespace weir::formats
