#include "weir/formats/tables/column_rows.h"

namespace weir::formats {

ColumnValues rows_of(const ColumnValues& column, ColumnType type, std::int64_t first,
                     std::int64_t stop) {
  ColumnValues part;
  if (!column.present.empty()) {
    part.present.assign(column.present.begin() + first, column.present.begin() + stop);
  }
  if (type != ColumnType::text) {
    const auto width = static_cast<std::int64_t>(column_bytes(type));
    part.values.assign(column.values.begin() + first * width, column.values.begin() + stop * width);
    return part;
  }
  const std::int32_t begin = first == 0 ? 0 : column.ends[static_cast<std::size_t>(first - 1)];
  for (std::int64_t row = first; row < stop; ++row) {
    part.ends.push_back(column.ends[static_cast<std::size_t>(row)] - begin);
  }
  const std::int32_t length = part.ends.empty() ? 0 : part.ends.back();
  part.values.assign(column.values.begin() + begin, column.values.begin() + begin + length);
  return part;
}

}  // namespace weir::formats
