#pragma once

#include <arrow/result.h>
#include <arrow/status.h>

#include <memory>
#include <span>
#include <stdexcept>
#include <utility>

#include "weir/formats/tables/table_file.h"

// Shared by the two files of the library weir_arrow, the only part that knows Arrow C++.
namespace weir::formats {

inline void check(const arrow::Status& status) {
  if (!status.ok()) {
    throw std::runtime_error(status.message());
  }
}

template <class T>
T take(arrow::Result<T>&& result) {
  check(result.status());
  return std::move(result).ValueUnsafe();
}

std::unique_ptr<TableEncoder> make_arrow_encoder(TableFile kind, const TableSchema& schema,
                                                 std::span<const std::byte> saved);
std::unique_ptr<TableReader> make_arrow_reader(TableFile kind, const TableBytes& bytes,
                                               std::int64_t most_bytes);

}  // namespace weir::formats
