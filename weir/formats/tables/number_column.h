#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "weir/formats/tables/column_batch.h"

namespace weir::formats {

/// What cannot be a float64, or is not there.
struct RefusedNumber {
  std::size_t row = 0;  ///< In the batch.
  const char* reason = "";
};

/// What becomes of a null.
enum class Nulls {
  refused,
  nan  ///< No number.
};

/// A column of numbers as float64: of all rows, or of `kept` (ascending) when that is not null.
/// Errors: the first row of them with a null that is refused, or with a whole number that float64
/// cannot hold, is told by `refused` (true is returned); `out` is then unspecified. Range: `type`
/// is not text.
bool numbers_of(const ColumnValues& column, ColumnType type, const std::vector<std::int64_t>* kept,
                std::vector<double>& out, RefusedNumber& refused, Nulls nulls = Nulls::refused);

}  // namespace weir::formats
