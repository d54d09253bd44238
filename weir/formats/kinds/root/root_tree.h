#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "weir/formats/table_source.h"

namespace weir::formats {

/// Where the rows of a branch lie.
struct RootBasket {
  std::int64_t seek = 0;
  std::int64_t first_row = 0;
  std::int64_t rows = 0;
};

/// Fixed numbers of bytes a row, basket after basket.
struct RootBranch {
  std::string name;
  std::size_t row_bytes = 0;
  std::vector<RootBasket> baskets;
};

/// One number a row of a branch, big-endian.
struct RootColumn {
  ColumnInfo info;
  std::size_t branch = 0;
  std::size_t offset = 0;  ///< In the bytes of a row.
};

/// What of a tree can be read, and what not.
struct RootTree {
  std::int64_t rows = 0;
  std::vector<RootBranch> branches;
  std::vector<RootColumn> columns;
  std::vector<RefusedColumn> refused;
};

/// A tree out of its unpacked record, in front of which stood a key of `key_bytes`.
/// Errors: `corrupt_data`; `unsupported` for versions of the class other than 16 to 20.
RootTree parse_root_tree(std::span<const std::byte> record, std::size_t key_bytes,
                         const std::string& class_name);

}  // namespace weir::formats
