#include "weir/formats/table_source.h"

#include <fmt/format.h>

#include <algorithm>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/core/value.h"

namespace weir::formats {
namespace {
[[noreturn]] void refuse_unknown(const TableInfo& table, const std::string& name) {
  for (const auto& refused : table.refused) {
    if (refused.name == name) {
      throw Error(ErrorCode::invalid_spec, fmt::format("{}: column {} is {}, not a number a row",
                                                       table.path, printable(name), refused.what));
    }
  }
  std::vector<std::string> known;
  known.reserve(table.schema.columns.size());
  for (const auto& column : table.schema.columns) {
    known.push_back(column.name);
  }
  const auto nearest = nearest_word(name, known);
  throw Error(ErrorCode::invalid_spec,
              fmt::format("{}: has no column {}{}", table.path, printable(name),
                          nearest ? fmt::format(" (did you mean {}?)", printable(*nearest)) : ""));
}
}  // namespace

std::int64_t find_column(const TableInfo& table, const std::string& name) {
  const auto& columns = table.schema.columns;
  std::int64_t found = -1;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].name != name) {
      continue;
    }
    if (found >= 0) {
      throw Error(ErrorCode::invalid_spec,
                  fmt::format("{}: has two columns {}", table.path, printable(name)));
    }
    found = static_cast<std::int64_t>(i);
  }
  if (found < 0) {
    refuse_unknown(table, name);
  }
  return found;
}

std::size_t choose_table(const std::vector<std::string>& names, std::string_view wanted,
                         std::string_view path) {
  if (names.empty()) {
    throw Error(ErrorCode::not_found, fmt::format("{}: holds no tables", path));
  }
  const std::string listed = printable(fmt::format("{}", fmt::join(names, ", ")));
  if (wanted.empty() && names.size() > 1) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("stream: {} holds several tables; say which of {}", path, listed));
  }
  const auto found = wanted.empty() ? names.begin() : std::find(names.begin(), names.end(), wanted);
  if (found == names.end()) {
    throw Error(ErrorCode::not_found, fmt::format("{}: has no table called \"{}\"; there is {}",
                                                  path, printable(wanted), listed));
  }
  return static_cast<std::size_t>(found - names.begin());
}

}  // namespace weir::formats
