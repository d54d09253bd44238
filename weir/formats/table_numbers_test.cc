#include "weir/formats/table_numbers.h"

#include <gtest/gtest.h>
#include <tbb/task_arena.h>

#include <cmath>
#include <cstring>
#include <thread>

#include "weir/core/error.h"
#include "weir/formats/memory_table.h"
#include "weir/testing/conformance.h"

namespace weir::formats {
namespace {
using testing::expect_error;

struct Read {
  std::vector<std::int64_t> rows;
  std::vector<std::vector<double>> columns;

  NumberSink sink() {
    return [this](const NumberBatch& batch) {
      rows.insert(rows.end(), batch.rows.begin(), batch.rows.end());
      columns.resize(batch.columns.size());
      for (std::size_t i = 0; i < columns.size(); ++i) {
        ASSERT_EQ(batch.columns[i].size(), batch.rows.size());
        columns[i].insert(columns[i].end(), batch.columns[i].begin(), batch.columns[i].end());
      }
    };
  }
};

/// x = row, y = -2 row.
std::shared_ptr<const TableSource> counting_table(std::int64_t rows) {
  MemoryColumn x{.name = "x", .values = {}};
  MemoryColumn y{.name = "y", .values = {}};
  for (std::int64_t row = 0; row < rows; ++row) {
    x.values.push_back(static_cast<double>(row));
    y.values.push_back(-2.0 * static_cast<double>(row));
  }
  return make_memory_table("memory", {std::move(x), std::move(y)});
}

template <class T>
std::shared_ptr<const TableSource> typed_table(ColumnType type, const std::vector<T>& values,
                                               std::vector<std::uint8_t> present = {}) {
  TableInfo info;
  info.path = "t.root";
  info.schema.columns = {{"v", type, !present.empty()}};
  ColumnBatch batch{.rows = std::ssize(values), .columns = {{}}};
  batch.columns[0].values.resize(values.size() * sizeof(T));
  std::memcpy(batch.columns[0].values.data(), values.data(), values.size() * sizeof(T));
  batch.columns[0].present = std::move(present);
  return make_memory_table(info, std::move(batch));
}

std::vector<double> values_of(const std::shared_ptr<const TableSource>& table,
                              const std::string& where = {}) {
  Read read;
  TableNumbers(table, {.columns = {"v"}, .momenta = {}, .where = where})
      .read({0, table->info().rows}, read.sink());
  return read.columns.empty() ? std::vector<double>() : read.columns[0];
}

TEST(TableNumbers, GivesColumnsInTheOrderAskedForWithTheRowsTheyCameFrom) {
  const TableNumbers numbers(counting_table(200'000),
                             {.columns = {"y", "x", "y"}, .momenta = {}, .where = {}});
  Read read;
  std::int64_t batches = 0;
  numbers.read({70'001, 100'000}, [&, sink = read.sink()](const NumberBatch& batch) {
    EXPECT_LE(std::ssize(batch.rows), TableSource::kBatchRows);
    ++batches;
    sink(batch);
  });
  EXPECT_GE(batches, 2);
  ASSERT_EQ(read.rows.size(), 100'000U);
  ASSERT_EQ(read.columns.size(), 3U);
  for (std::size_t i = 0; i < read.rows.size(); ++i) {
    ASSERT_EQ(read.rows[i], 70'001 + static_cast<std::int64_t>(i));
    ASSERT_EQ(read.columns[0][i], -2.0 * static_cast<double>(read.rows[i]));
    ASSERT_EQ(read.columns[1][i], static_cast<double>(read.rows[i]));
  }
  EXPECT_EQ(read.columns[2], read.columns[0]);
}

TEST(TableNumbers, KeepsTheRowsOfACutAndTheirPlacesInTheSource) {
  const TableNumbers numbers(
      counting_table(150'000),
      {.columns = {"y"}, .momenta = {}, .where = "x >= 65535 and 65538 > x"});
  Read read;
  numbers.read({0, 150'000}, read.sink());
  EXPECT_EQ(read.rows, (std::vector<std::int64_t>{65535, 65536, 65537}));
  EXPECT_EQ(read.columns[0], (std::vector<double>{-131070, -131072, -131074}));
  Read none;
  numbers.read({0, 65535}, none.sink());
  numbers.read({66000, 0}, none.sink());
  EXPECT_TRUE(none.rows.empty());
}

TEST(TableNumbers, CountsTheRowsOfNoColumns) {
  Read read;
  TableNumbers(counting_table(70'000), {}).read({3, 69'000}, read.sink());
  ASSERT_EQ(read.rows.size(), 69'000U);
  EXPECT_EQ(read.rows.back(), 69'002);
}

TEST(TableNumbers, ReadsAheadTheSameRowsInTheSameOrderOnTheCallersThread) {
  const TableNumbers numbers(counting_table(400'000),
                             {.columns = {"x", "y"}, .momenta = {}, .where = "x != 99999"});
  Read whole;
  numbers.read({10, 399'000}, whole.sink());
  for (const int threads : {1, 3}) {
    tbb::task_arena arena(threads);
    arena.execute([&] {
      Read ahead;
      const auto caller = std::this_thread::get_id();
      numbers.read_ahead({10, 399'000}, [&, sink = ahead.sink()](const NumberBatch& batch) {
        EXPECT_EQ(std::this_thread::get_id(), caller);
        sink(batch);
      });
      EXPECT_TRUE(ahead.rows == whole.rows);
      EXPECT_TRUE(ahead.columns == whole.columns);
    });
  }
  EXPECT_GE(numbers.read_ahead_bytes(3), 3 * numbers.read_bytes());
}

TEST(TableNumbers, HoldsWholeNumbersExactlyOrRefusesThem) {
  constexpr std::int64_t kEdge = std::int64_t{1} << 53;
  EXPECT_EQ(values_of(typed_table<std::int64_t>(ColumnType::int64, {-kEdge, kEdge, kEdge * 2, -5})),
            (std::vector<double>{-0x1p53, 0x1p53, 0x1p54, -5}));
  EXPECT_EQ(values_of(typed_table<std::uint64_t>(ColumnType::uint64, {1ULL << 63, 1ULL << 33, 1})),
            (std::vector<double>{0x1p63, 0x1p33, 1}));
  expect_error(ErrorCode::corrupt_data, "t.root: column v: row 1 is a whole number beyond 2^53",
               [&] { values_of(typed_table<std::int64_t>(ColumnType::int64, {0, kEdge + 1})); });
  expect_error(ErrorCode::corrupt_data, "row 0 is a whole number beyond 2^53", [] {
    values_of(
        typed_table<std::int64_t>(ColumnType::int64, {std::numeric_limits<std::int64_t>::max()}));
  });
  expect_error(ErrorCode::corrupt_data, "row 2 is a whole number beyond 2^53",
               [] { values_of(typed_table<std::uint64_t>(ColumnType::uint64, {0, 1, ~0ULL})); });
  EXPECT_EQ(values_of(typed_table<float>(ColumnType::float32, {0.1F})),
            (std::vector<double>{static_cast<double>(0.1F)}));
}

TEST(TableNumbers, RefusesANullByColumnAndRowUnlessTheCutTakesItsRow) {
  const auto table = typed_table<float>(ColumnType::float32, {1, 0, 3, NAN}, {1, 0, 1, 1});
  expect_error(ErrorCode::corrupt_data, "t.root: column v: row 1 is null",
               [&] { values_of(table); });
  expect_error(ErrorCode::corrupt_data, "t.root: column v: row 1 is null",
               [&] { values_of(table, "v > 2"); });
  const TableNumbers numbers(
      table, {.columns = {"v"}, .momenta = {}, .where = "v < 9", .nulls = Nulls::nan});
  std::vector<double> kept;
  numbers.read({0, 4}, [&](const NumberBatch& batch) {
    kept.assign(batch.columns[0].begin(), batch.columns[0].end());
  });
  EXPECT_EQ(kept, (std::vector<double>{1, 3}));
  const auto present = typed_table<float>(ColumnType::float32, {1, NAN});
  EXPECT_TRUE(std::isnan(values_of(present)[1]));
  EXPECT_EQ(values_of(present, "v < 9"), (std::vector<double>{1}));
}

TEST(TableNumbers, RefusesUnknownColumnsAndTextByName) {
  TableInfo info;
  info.path = "t.root";
  info.schema.columns = {{"mass", ColumnType::float64, false}, {"label", ColumnType::text, false}};
  info.refused = {{"hits", "a jagged array of float32"}};
  ColumnBatch batch{.rows = 0, .columns = {{}, {}}};
  const std::shared_ptr<const TableSource> table = make_memory_table(info, batch);
  const auto refuses = [&](const TableQuery& query, const std::string& part) {
    expect_error(ErrorCode::invalid_spec, part, [&] { TableNumbers(table, query); });
  };
  refuses({.columns = {"masss"}, .momenta = {}, .where = {}},
          "t.root: has no column masss (did you mean mass?)");
  refuses({.columns = {"label"}, .momenta = {}, .where = {}}, "column label holds text");
  refuses({.columns = {"hits"}, .momenta = {}, .where = {}},
          "column hits is a jagged array of float32");
  refuses({.columns = {}, .momenta = {}, .where = "Mass < 3"}, "where: t.root: has no column Mass");
  refuses({.columns = {}, .momenta = {{"p", {}, {"mass", "mass", "mass", "pz"}}}, .where = {}},
          "momentum \"p\": t.root: has no column pz");
  info.schema.columns[1] = info.schema.columns[0];
  expect_error(ErrorCode::invalid_spec, "two columns mass",
               [&] { make_memory_table(info, batch); });
  expect_error(ErrorCode::invalid_spec, "m: column a has 2 rows, column b 1",
               [] { make_memory_table("m", {{"a", {1, 2}}, {"b", {1}}}); });
}

TEST(TableNumbers, TurnsTransverseMomentaIntoCartesianOnes) {
  const std::shared_ptr<const TableSource> table = make_memory_table(
      "m", {{"mu_pt", {2, 3}}, {"mu_eta", {0, 1}}, {"mu_phi", {0, 2}}, {"mu_mass", {1.5, 0}}});
  const TableNumbers numbers(
      table, {.columns = {"mu_pt"}, .momenta = {find_momentum(table->info(), "mu")}, .where = {}});
  EXPECT_EQ(numbers.columns(),
            (std::vector<std::string>{"mu_pt", "mu.E", "mu.px", "mu.py", "mu.pz"}));
  Read read;
  numbers.read({0, 2}, read.sink());
  EXPECT_EQ(read.columns[1][0], 2.5);
  EXPECT_EQ(read.columns[2][0], 2);
  EXPECT_EQ(read.columns[3][0], 0);
  EXPECT_EQ(read.columns[4][0], 0);
  EXPECT_DOUBLE_EQ(read.columns[4][1], 3 * std::sinh(1.0));
  EXPECT_DOUBLE_EQ(read.columns[1][1], 3 * std::cosh(1.0));
}
}  // namespace
}  // namespace weir::formats
