#include "weir/core/error.h"
#include "weir/formats/kinds/root/root.h"
#include "weir/formats/table_numbers.h"
#include "weir/testing/format_conformance.h"
#include "weir/testing/fuzz.h"

namespace {
/// Reads what a table says it holds, column after column. Only `Error` may escape.
void read_columns(const std::shared_ptr<const weir::formats::TableSource>& table) {
  using namespace weir::formats;
  constexpr std::int64_t kMostRows = 2000;
  const std::int64_t rows = std::min(table->info().rows, kMostRows);
  for (const auto& column : table->info().schema.columns) {
    try {
      TableNumbers(table, {.columns = {column.name}, .momenta = {}, .where = {}})
          .read({table->info().rows - rows, rows}, [](const NumberBatch&) {});
    } catch (const weir::Error& error) {
      EXPECT_NE(error.code(), weir::ErrorCode::internal) << error.what();
    }
  }
}
}  // namespace

WEIR_FUZZ(root) {
  using namespace weir::formats;
  static const weir::testing::ScratchFolder kFolder;
  weir::testing::write_bytes(kFolder / "a.root", input);
  try {
    for (const auto& info : root_format().list_tables(kFolder / "a.root", {})) {
      OpenOptions options;
      options.stream = info.name;
      read_columns(root_format().open_table(kFolder / "a.root", options));
    }
  } catch (const weir::Error& error) {
    EXPECT_NE(error.code(), weir::ErrorCode::internal) << error.what();
  }
}
