#include "weir/formats/tables/column_numbers.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "weir/core/error.h"

namespace weir::formats {
namespace {
template <class T>
T stored_at(const ColumnValues& column, std::size_t row) {
  T value{};
  std::memcpy(&value, column.values.data() + row * sizeof value, sizeof value);
  return value;
}

/// pandas turns whole numbers with nulls into float64 with NaN.
std::optional<std::int64_t> whole_in(double value) {
  constexpr double kMost = 9007199254740992.0;  // 2^53
  if (std::isnan(value)) {
    return std::nullopt;
  }
  if (value != std::floor(value) || std::abs(value) > kMost) {
    throw Error(ErrorCode::corrupt_data, fmt::format("{} is no whole number", value));
  }
  return static_cast<std::int64_t>(value);
}
}  // namespace

std::optional<std::int64_t> whole_at(const ColumnValues& column, ColumnType type, std::size_t row) {
  if (!column.present.empty() && column.present[row] == 0) {
    return std::nullopt;
  }
  switch (type) {
    case ColumnType::int8:
      return stored_at<std::int8_t>(column, row);
    case ColumnType::int16:
      return stored_at<std::int16_t>(column, row);
    case ColumnType::int32:
      return stored_at<std::int32_t>(column, row);
    case ColumnType::int64:
      return stored_at<std::int64_t>(column, row);
    case ColumnType::boolean:
    case ColumnType::uint8:
      return stored_at<std::uint8_t>(column, row);
    case ColumnType::uint16:
      return stored_at<std::uint16_t>(column, row);
    case ColumnType::uint32:
      return stored_at<std::uint32_t>(column, row);
    case ColumnType::uint64: {
      const auto value = stored_at<std::uint64_t>(column, row);
      if (value > std::uint64_t{std::numeric_limits<std::int64_t>::max()}) {
        throw Error(ErrorCode::corrupt_data, fmt::format("{} is beyond 2^63", value));
      }
      return static_cast<std::int64_t>(value);
    }
    case ColumnType::float32:
      return whole_in(stored_at<float>(column, row));
    case ColumnType::float64:
      return whole_in(stored_at<double>(column, row));
    case ColumnType::text:
      break;
  }
  throw Error(ErrorCode::corrupt_data, "holds text, not numbers");
}

double number_at(const ColumnValues& column, ColumnType type, std::size_t row) {
  if (type == ColumnType::float32) {
    return stored_at<float>(column, row);
  }
  if (type == ColumnType::float64) {
    return stored_at<double>(column, row);
  }
  return static_cast<double>(whole_at(column, type, row).value_or(0));
}

std::string text_of(const ColumnValues& column, std::size_t row) {
  const std::int32_t first = row == 0 ? 0 : column.ends[row - 1];
  return {reinterpret_cast<const char*>(column.values.data()) + first,
          static_cast<std::size_t>(column.ends[row] - first)};
}

}  // namespace weir::formats
