#include "weir/cli/table_summary.h"

#include <fmt/format.h>

#include "weir/cli/text_table.h"
#include "weir/core/text.h"

namespace weir::cli {
namespace {
std::string_view type_name(formats::ColumnType type) noexcept {
  using formats::ColumnType;
  switch (type) {
    case ColumnType::boolean:
      return "bool";
    case ColumnType::int8:
      return "int8";
    case ColumnType::int16:
      return "int16";
    case ColumnType::int32:
      return "int32";
    case ColumnType::int64:
      return "int64";
    case ColumnType::uint8:
      return "uint8";
    case ColumnType::uint16:
      return "uint16";
    case ColumnType::uint32:
      return "uint32";
    case ColumnType::uint64:
      return "uint64";
    case ColumnType::float32:
      return "float32";
    case ColumnType::float64:
      return "float64";
    case ColumnType::text:
      return "text";
  }
  return "";
}

std::string type_words(const formats::ColumnInfo& column) {
  return fmt::format("{}{}", type_name(column.type), column.nullable ? ", may be null" : "");
}
}  // namespace

std::string table_lines(const std::vector<formats::TableInfo>& tables) {
  std::string lines;
  for (const auto& table : tables) {
    lines += fmt::format("\ntable {}{}{} rows, {} columns\n", printable(table.name),
                         table.name.empty() ? "" : ": ", grouped(table.rows),
                         table.schema.columns.size());
    TextTable columns({"column", "type"});
    for (const auto& column : table.schema.columns) {
      columns.row({printable(column.name), type_words(column)});
    }
    for (const auto& column : table.refused) {
      columns.row({printable(column.name), "not read: " + printable(column.what)});
    }
    lines += columns.text();
  }
  return lines;
}

Value tables_json(const std::vector<formats::TableInfo>& tables) {
  Value list = Value::array();
  for (const auto& table : tables) {
    Value columns = Value::array();
    for (const auto& column : table.schema.columns) {
      Value object = Value::object();
      object.set("name", column.name);
      object.set("type", std::string(type_name(column.type)));
      object.set("nullable", column.nullable);
      columns.push_back(std::move(object));
    }
    Value refused = Value::array();
    for (const auto& column : table.refused) {
      Value object = Value::object();
      object.set("name", column.name);
      object.set("what", column.what);
      refused.push_back(std::move(object));
    }
    Value object = Value::object();
    object.set("name", table.name);
    object.set("format", table.format);
    object.set("rows", table.rows);
    object.set("columns", std::move(columns));
    object.set("refused", std::move(refused));
    list.push_back(std::move(object));
  }
  return list;
}

}  // namespace weir::cli
