#include "weir/formats/tables/number_column.h"

#include <cstring>
#include <limits>
#include <type_traits>

#include "weir/core/error.h"

namespace weir::formats {
namespace {
constexpr std::int64_t kMostWhole = std::int64_t{1} << 53;

/// Between the powers of two beyond 2^53 float64 holds some whole numbers and not others.
template <class T>
bool is_held(T value) {
  if constexpr (std::is_same_v<T, std::int64_t>) {
    if (value >= -kMostWhole && value <= kMostWhole) {
      return true;
    }
    const auto number = static_cast<double>(value);
    return number < 9223372036854775808.0 && static_cast<std::int64_t>(number) == value;
  } else if constexpr (std::is_same_v<T, std::uint64_t>) {
    if (value <= static_cast<std::uint64_t>(kMostWhole)) {
      return true;
    }
    const auto number = static_cast<double>(value);
    return number < 18446744073709551616.0 && static_cast<std::uint64_t>(number) == value;
  } else {
    return true;
  }
}

template <class T, class RowAt>
bool convert(const ColumnValues& column, std::vector<double>& out, RefusedNumber& refused,
             Nulls nulls, RowAt&& row_at) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::size_t row = row_at(i);
    T value;
    std::memcpy(&value, column.values.data() + row * sizeof value, sizeof value);
    if (!column.present.empty() && column.present[row] == 0) {
      if (nulls == Nulls::nan) {
        out[i] = std::numeric_limits<double>::quiet_NaN();
        continue;
      }
      refused = {row, "is null"};
      return true;
    }
    if (!is_held(value)) {
      refused = {row, "is a whole number beyond 2^53 that float64 does not hold"};
      return true;
    }
    out[i] = static_cast<double>(value);
  }
  return false;
}

template <class T>
bool convert(const ColumnValues& column, const std::vector<std::int64_t>* kept,
             std::vector<double>& out, RefusedNumber& refused, Nulls nulls) {
  if (kept == nullptr) {
    out.resize(column.values.size() / sizeof(T));
    return convert<T>(column, out, refused, nulls, [](std::size_t i) { return i; });
  }
  out.resize(kept->size());
  return convert<T>(column, out, refused, nulls,
                    [&](std::size_t i) { return static_cast<std::size_t>((*kept)[i]); });
}
}  // namespace

bool numbers_of(const ColumnValues& column, ColumnType type, const std::vector<std::int64_t>* kept,
                std::vector<double>& out, RefusedNumber& refused, Nulls nulls) {
  switch (type) {
    case ColumnType::int8:
      return convert<std::int8_t>(column, kept, out, refused, nulls);
    case ColumnType::int16:
      return convert<std::int16_t>(column, kept, out, refused, nulls);
    case ColumnType::int32:
      return convert<std::int32_t>(column, kept, out, refused, nulls);
    case ColumnType::int64:
      return convert<std::int64_t>(column, kept, out, refused, nulls);
    case ColumnType::boolean:
    case ColumnType::uint8:
      return convert<std::uint8_t>(column, kept, out, refused, nulls);
    case ColumnType::uint16:
      return convert<std::uint16_t>(column, kept, out, refused, nulls);
    case ColumnType::uint32:
      return convert<std::uint32_t>(column, kept, out, refused, nulls);
    case ColumnType::uint64:
      return convert<std::uint64_t>(column, kept, out, refused, nulls);
    case ColumnType::float32:
      return convert<float>(column, kept, out, refused, nulls);
    case ColumnType::float64:
      return convert<double>(column, kept, out, refused, nulls);
    case ColumnType::text:
      break;
  }
  WEIR_CHECK(type != ColumnType::text);
  return true;
}

}  // namespace weir::formats
