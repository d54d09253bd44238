#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "weir/formats/tables/column_batch.h"

namespace weir::formats {

/// A whole number of a column of any type of number; empty for null and NaN.
/// Errors: `corrupt_data` for a number that is not whole or not below 2^63, and for text.
std::optional<std::int64_t> whole_at(const ColumnValues& column, ColumnType type, std::size_t row);
/// A number as float64; 0 for null.
double number_at(const ColumnValues& column, ColumnType type, std::size_t row);
std::string text_of(const ColumnValues& column, std::size_t row);

}  // namespace weir::formats
