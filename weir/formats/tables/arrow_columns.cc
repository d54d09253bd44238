// What Arrow holds of a column becomes ours: its type, its values, its statistics.
#include <arrow/api.h>
#include <parquet/metadata.h>
#include <parquet/statistics.h>

#include <cstring>
#include <limits>

#include "weir/formats/tables/arrow_internal.h"

namespace weir::formats {
namespace {
void append_text(ColumnValues& column, std::string_view text) {
  if (column.values.size() + text.size() > std::size_t{std::numeric_limits<std::int32_t>::max()}) {
    throw std::runtime_error("more than 2 GiB of text in one batch");
  }
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  column.values.insert(column.values.end(), first, first + text.size());
  column.ends.push_back(static_cast<std::int32_t>(column.values.size()));
}

std::string_view text_at(const arrow::Array& array, std::int64_t row) {
  switch (array.type_id()) {
    case arrow::Type::STRING:
      return static_cast<const arrow::StringArray&>(array).GetView(row);
    case arrow::Type::LARGE_STRING:
      return static_cast<const arrow::LargeStringArray&>(array).GetView(row);
    case arrow::Type::STRING_VIEW:
      return static_cast<const arrow::StringViewArray&>(array).GetView(row);
    default: {
      const auto& words = static_cast<const arrow::DictionaryArray&>(array);
      const std::int64_t word = words.GetValueIndex(row);
      if (word < 0 || word >= words.dictionary()->length()) {
        throw std::runtime_error("a text column points outside its dictionary");
      }
      return text_at(*words.dictionary(), word);
    }
  }
}

template <class Type>
std::pair<double, double> smallest_and_largest(const parquet::Statistics& statistics) {
  const auto& typed = static_cast<const parquet::TypedStatistics<Type>&>(statistics);
  return {static_cast<double>(typed.min()), static_cast<double>(typed.max())};
}

}  // namespace

std::optional<ColumnType> column_type(const arrow::DataType& type) {
  switch (type.id()) {
    case arrow::Type::BOOL:
      return ColumnType::boolean;
    case arrow::Type::INT8:
      return ColumnType::int8;
    case arrow::Type::INT16:
      return ColumnType::int16;
    case arrow::Type::INT32:
      return ColumnType::int32;
    case arrow::Type::INT64:
      return ColumnType::int64;
    case arrow::Type::UINT8:
      return ColumnType::uint8;
    case arrow::Type::UINT16:
      return ColumnType::uint16;
    case arrow::Type::UINT32:
      return ColumnType::uint32;
    case arrow::Type::UINT64:
      return ColumnType::uint64;
    case arrow::Type::FLOAT:
      return ColumnType::float32;
    case arrow::Type::DOUBLE:
      return ColumnType::float64;
    case arrow::Type::STRING:
    case arrow::Type::LARGE_STRING:
    case arrow::Type::STRING_VIEW:
      return ColumnType::text;
    case arrow::Type::DICTIONARY: {
      const auto& values = *static_cast<const arrow::DictionaryType&>(type).value_type();
      const auto found =
          values.id() == arrow::Type::DICTIONARY ? std::nullopt : column_type(values);
      return found == ColumnType::text ? found : std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

ColumnValues values_of(const arrow::Array& array) {
  const auto type = column_type(*array.type());
  if (!type) {
    throw std::runtime_error("a column is of another type than the schema says");
  }
  ColumnValues column;
  const std::int64_t rows = array.length();
  const bool nulls = array.null_count() > 0;
  if (nulls) {
    for (std::int64_t row = 0; row < rows; ++row) {
      column.present.push_back(array.IsValid(row) ? 1 : 0);
    }
  }
  if (*type == ColumnType::text) {
    for (std::int64_t row = 0; row < rows; ++row) {
      append_text(column, array.IsValid(row) ? text_at(array, row) : std::string_view());
    }
    return column;
  }
  const std::size_t width = column_bytes(*type);
  column.values.resize(static_cast<std::size_t>(rows) * width);
  if (*type == ColumnType::boolean) {
    for (std::int64_t row = 0; row < rows; ++row) {
      const bool value = static_cast<const arrow::BooleanArray&>(array).Value(row);
      column.values[static_cast<std::size_t>(row)] = value ? std::byte{1} : std::byte{0};
    }
  } else if (rows > 0) {
    const auto& data = *array.data();
    std::memcpy(column.values.data(),
                data.buffers[1]->data() + data.offset * static_cast<std::int64_t>(width),
                column.values.size());
  }
  for (std::size_t row = 0; row < column.present.size(); ++row) {
    if (column.present[row] == 0) {
      std::memset(column.values.data() + row * width, 0, width);
    }
  }
  return column;
}

/// Writers differ in what they say of unsigned numbers, and of those of 64 bits float64 may not
/// hold all: of either nothing is said.
std::optional<std::pair<double, double>> statistics_range(const parquet::Statistics* statistics,
                                                          ColumnType type) {
  if (statistics == nullptr || !statistics->HasMinMax() || !statistics->HasNullCount() ||
      statistics->null_count() != 0) {
    return std::nullopt;
  }
  std::pair<double, double> range;
  switch (type) {
    case ColumnType::int8:
    case ColumnType::int16:
    case ColumnType::int32:
      if (statistics->physical_type() != parquet::Type::INT32) {
        return std::nullopt;
      }
      range = smallest_and_largest<parquet::Int32Type>(*statistics);
      break;
    case ColumnType::int64:
      if (statistics->physical_type() != parquet::Type::INT64) {
        return std::nullopt;
      }
      range = smallest_and_largest<parquet::Int64Type>(*statistics);
      break;
    case ColumnType::float32:
      if (statistics->physical_type() != parquet::Type::FLOAT) {
        return std::nullopt;
      }
      range = smallest_and_largest<parquet::FloatType>(*statistics);
      break;
    case ColumnType::float64:
      if (statistics->physical_type() != parquet::Type::DOUBLE) {
        return std::nullopt;
      }
      range = smallest_and_largest<parquet::DoubleType>(*statistics);
      break;
    default:
      return std::nullopt;
  }
  constexpr double kMostWhole = 9007199254740992.0;
  const bool held =
      type != ColumnType::int64 || (range.first > -kMostWhole && range.second < kMostWhole);
  return held && range.first <= range.second ? std::optional(range) : std::nullopt;
}

}  // namespace weir::formats
