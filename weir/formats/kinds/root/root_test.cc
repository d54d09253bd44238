#include "weir/formats/kinds/root/root.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/json.h"
#include "weir/formats/kinds/root/root_table.h"
#include "weir/formats/kinds/root/root_tree.h"
#include "weir/formats/table_numbers.h"
#include "weir/testing/conformance.h"
#include "weir/testing/format_conformance.h"
#include "weir/testing/required.h"

namespace weir::formats {
namespace {
namespace fs = std::filesystem;
using testing::expect_error;

fs::path golden(const std::string& name) {
  return fs::path(WEIR_SOURCE_DIR) / "weir/formats/kinds/root/golden" / name;
}

std::shared_ptr<const TableSource> open(const fs::path& path, const std::string& tree = {}) {
  OpenOptions options;
  options.stream = tree;
  return root_format().open_table(path, options);
}

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

std::vector<double> column_of(const std::shared_ptr<const TableSource>& table,
                              const std::string& column) {
  return column_of(table, column, {0, table->info().rows});
}

/// A column of golden/make.py.
struct Formula {
  ColumnType type;
  std::function<double(std::int64_t)> value;
};
const std::map<std::string, Formula> kNumbers{
    {"flag", {ColumnType::boolean, [](std::int64_t row) { return row % 3 == 0 ? 1.0 : 0.0; }}},
    {"i1",
     {ColumnType::int8, [](std::int64_t row) { return static_cast<double>(row % 200 - 100); }}},
    {"u1", {ColumnType::uint8, [](std::int64_t row) { return static_cast<double>(row % 251); }}},
    {"i2", {ColumnType::int16, [](std::int64_t row) { return -40.0 * static_cast<double>(row); }}},
    {"u2", {ColumnType::uint16, [](std::int64_t row) { return 90.0 * static_cast<double>(row); }}},
    {"i4", {ColumnType::int32, [](std::int64_t row) { return -7e4 * static_cast<double>(row); }}},
    {"u4", {ColumnType::uint32, [](std::int64_t row) { return 6e6 * static_cast<double>(row); }}},
    {"i8",
     {ColumnType::int64, [](std::int64_t row) { return 0x1p40 * static_cast<double>(row - 300); }}},
    {"u8",
     {ColumnType::uint64, [](std::int64_t row) { return 0x1p33 * static_cast<double>(row); }}},
    {"f4", {ColumnType::float32, [](std::int64_t row) { return static_cast<double>(row) / 4; }}},
    {"f8", {ColumnType::float64, [](std::int64_t row) { return static_cast<double>(row) / 10; }}},
    {"three[0]", {ColumnType::int32, [](std::int64_t row) { return static_cast<double>(row); }}},
    {"three[2]",
     {ColumnType::int32, [](std::int64_t row) { return static_cast<double>(row + 2000); }}}};

TEST(Root, ReadsEveryTypeInEveryCompression) {
  for (const std::string codec : {"none", "zlib", "zstd", "lz4", "lzma"}) {
    SCOPED_TRACE(codec);
    const auto table = open(golden(codec + ".root"));
    EXPECT_EQ(table->info().rows, 600);
    EXPECT_EQ(table->info().name, "t");
    EXPECT_EQ(table->info().schema.columns.size(), 14U);
    for (const auto& [name, formula] : kNumbers) {
      SCOPED_TRACE(name);
      const auto place = find_column(table->info(), name);
      EXPECT_EQ(table->info().schema.columns[static_cast<std::size_t>(place)].type, formula.type);
      const auto values = column_of(table, name);
      ASSERT_EQ(values.size(), 600U);
      for (std::int64_t row = 0; row < 600; ++row) {
        ASSERT_EQ(values[static_cast<std::size_t>(row)], formula.value(row)) << row;
      }
    }
  }
}

TEST(Root, ReadsAnyRangeOfRowsAcrossBaskets) {
  const auto table = open(golden("lz4.root"));
  const auto whole = column_of(table, "f8");
  for (const RowRange rows : {RowRange{0, 1}, {399, 2}, {400, 200}, {1, 598}, {599, 1}, {5, 0}}) {
    const auto part = column_of(table, "f8", rows);
    ASSERT_EQ(std::ssize(part), rows.count);
    EXPECT_TRUE(std::equal(part.begin(), part.end(), whole.begin() + rows.first));
  }
  EXPECT_GE(table->read_bytes(std::vector<std::int64_t>{0}), 400U);
}

TEST(Root, FindsTreesInDirectoriesAndRefusesWhatIsNotFlatByName) {
  const auto tables = root_format().list_tables(golden("odd.root"), {});
  ASSERT_EQ(tables.size(), 3U);
  const auto table = open(golden("odd.root"), "inside/deep/tree");
  EXPECT_EQ(column_of(table, "y"), (std::vector<double>{7, 8, 9}));
  EXPECT_EQ(column_of(table, "nx"), (std::vector<double>{0, 3, 1}));
  const auto refuses = [](const auto& source, const std::string& column, const std::string& part) {
    expect_error(ErrorCode::invalid_spec, part, [&] { column_of(source, column); });
  };
  refuses(table, "x", "column x is a jagged array, nx numbers a row");
  refuses(table, "big", "column big is an array of 100 numbers a row");
  refuses(open(golden("none.root")), "three", "name one of three[0] to three[2]");
  refuses(open(golden("odd.root"), "words"), "word", "column word is a string");
  EXPECT_EQ(column_of(open(golden("odd.root"), "words"), "n"), (std::vector<double>{1, 2}));
  EXPECT_EQ(column_of(open(golden("odd.root"), "empty"), "x"), std::vector<double>());
  expect_error(ErrorCode::invalid_spec, "several tables; say which of",
               [] { open(golden("odd.root")); });
  expect_error(ErrorCode::not_found, "no table called \"deep\"; there is inside/deep/tree",
               [] { open(golden("odd.root"), "deep"); });
  expect_error(ErrorCode::unsupported, "newer is an RNTuple; trees (TTree, TNtuple) are read",
               [] { open(golden("odd.root"), "newer"); });
}

std::string file_text(const fs::path& path) {
  return testing::read_string(path);
}

/// The same number wherever `from` stands.
void replace(std::string& text, const std::string& from, const std::string& to) {
  ASSERT_EQ(from.size(), to.size());
  std::size_t found = 0;
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, to.size(), to);
    ++found;
  }
  ASSERT_GE(found, 1U);
}

std::string big_endian(std::uint64_t number) {
  std::string bytes;
  for (int shift = 56; shift >= 0; shift -= 8) {
    bytes.push_back(static_cast<char>(number >> static_cast<unsigned>(shift) & 0xffU));
  }
  return bytes;
}

/// Where the first basket of a branch stands: its key names it.
std::size_t basket_place(const std::string& text, const std::string& branch) {
  const std::string names = std::string("\x07TBasket") + static_cast<char>(branch.size()) + branch;
  const auto class_name = text.find(names);
  for (const std::size_t head : {26U, 34U}) {
    const std::size_t place = class_name - head;
    const auto seek = text.substr(class_name - (head - 18), head == 26U ? 4 : 8);
    if (seek == big_endian(place).substr(head == 26U ? 4 : 0)) {
      return place;
    }
  }
  return 0;
}

TEST(Root, FollowsPlacesBeyondFourGigabytes) {
  std::string text = file_text(golden("none.root"));
  const auto place = basket_place(text, "f8");
  ASSERT_GT(place, 0U);
  constexpr std::uint64_t kFar = std::uint64_t{5} << 30U;
  const std::string basket = text.substr(place, 4000);
  const testing::ScratchFolder folder;
  replace(text, big_endian(place), big_endian(kFar));
  text.replace(place, 100, std::string(100, '\0'));
  testing::write_string(folder / "far.root", text);
  fs::resize_file(folder / "far.root", kFar + basket.size());  // A hole, which takes no room.
  {
    std::fstream file(folder / "far.root", std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(kFar));
    file << basket;
  }
  EXPECT_EQ(column_of(open(folder / "far.root"), "f8"), column_of(open(golden("none.root")), "f8"));
}

TEST(Root, TellsWhichBasketOfWhichBranchIsDamaged) {
  const testing::ScratchFolder folder;
  std::string text = file_text(golden("lz4.root"));
  const auto place = basket_place(text, "i8");
  ASSERT_GT(place, 0U);
  text[place + 200] = static_cast<char>(text[place + 200] ^ 1);
  testing::write_string(folder / "a.root", text);
  expect_error(ErrorCode::corrupt_data, "tree t: branch i8: the basket at",
               [&] { column_of(open(folder / "a.root"), "i8"); });
  EXPECT_EQ(column_of(open(folder / "a.root"), "f8").size(), 600U);  // Others are not read.
  testing::write_string(folder / "b.root", text.substr(0, text.size() / 2));
  expect_error(ErrorCode::corrupt_data, "says it has", [&] { open(folder / "b.root"); });
  testing::write_string(folder / "c.root", "rood");
  expect_error(ErrorCode::corrupt_data, "c.root: ", [&] { open(folder / "c.root"); });
}

TEST(Root, ReadsATupleAsTheTreeItIs) {
  const RootFile file(golden("none.root"));
  const RootKey& key = file.keys().front();
  ASSERT_EQ(key.class_name, "TTree");
  std::vector<std::byte> record;
  const auto key_bytes = file.key_at(key.seek, record).key_bytes;
  const auto object = file.object(key);
  const auto tree = parse_root_tree(object, key_bytes, "TTree");
  // A tuple is a tree with a head in front of it.
  std::vector<std::byte> tuple{std::byte{0x40}, std::byte{0}, std::byte{0},
                               std::byte{2},    std::byte{0}, std::byte{2}};
  tuple.insert(tuple.end(), object.begin(), object.end());
  const auto same = parse_root_tree(tuple, key_bytes - 6U, "TNtuple");
  EXPECT_EQ(same.rows, tree.rows);
  ASSERT_EQ(same.columns.size(), tree.columns.size());
  EXPECT_EQ(same.columns.back().info, tree.columns.back().info);
}

TEST(RootOfTheWild, HoldsTheNumbersThatUprootReads) {
  const char* root = std::getenv("WEIR_TEST_DATA");
  const fs::path folder =
      (root != nullptr ? fs::path(root) : fs::path(WEIR_SOURCE_DIR) / "../shared/data") / "physics";
  if (!fs::exists(folder)) {
    if (testing::is_required("data")) {
      FAIL() << folder << " is not there";
    }
    GTEST_SKIP() << folder << " is not there";
  }
  const auto facts = parse_json(read_text_file(golden("zmumu_facts.json").string()));
  for (const auto& [codec, fact] : facts.as_object()) {
    SCOPED_TRACE(codec);
    const auto table = open(folder / ("zmumu_" + codec + ".root"));
    const auto rows = static_cast<double>(table->info().rows);
    EXPECT_EQ(table->info().rows, fact.find("rows")->as_integer());
    for (const auto& [name, expected] : fact.find("columns")->as_object()) {
      const auto values = column_of(table, name);
      double sum = 0;
      for (const double value : values) {
        sum += value;
      }
      EXPECT_NEAR(sum, expected.find("sum")->as_number(), 1e-9 * rows) << name;
      EXPECT_EQ(values.front(), expected.find("first")->as_number()) << name;
      EXPECT_EQ(values.back(), expected.find("last")->as_number()) << name;
    }
    expect_error(ErrorCode::invalid_spec, "column Type is a string",
                 [&] { column_of(table, "Type"); });
    const TableNumbers pair(
        table, {.columns = {"M"},
                .momenta = {find_momentum(table->info(), "1"), find_momentum(table->info(), "2")},
                .where = {}});
    pair.read({0, table->info().rows}, [](const NumberBatch& batch) {
      for (std::size_t row = 0; row < batch.rows.size(); ++row) {
        const auto sum = [&](std::size_t i) {
          return batch.columns[i][row] + batch.columns[i + 4][row];
        };
        const double mass =
            std::sqrt(sum(1) * sum(1) - sum(2) * sum(2) - sum(3) * sum(3) - sum(4) * sum(4));
        ASSERT_NEAR(mass, batch.columns[0][row], 1e-3);
      }
    });
  }
}
}  // namespace
}  // namespace weir::formats
