#include "weir/cli/text_table.h"

#include <algorithm>

namespace weir::cli {
namespace {
bool looks_numeric(const std::string& cell) {
  return !cell.empty() && std::all_of(cell.begin(), cell.end(), [](char letter) {
    return (letter >= '0' && letter <= '9') || letter == '.' || letter == ',' || letter == '-' ||
           letter == '+' || letter == 'e';
  }) && cell.find_first_of("0123456789") != std::string::npos;
}

struct Column {
  std::size_t width = 0;
  bool numeric = true;
};

std::vector<Column> columns_of(const std::vector<std::string>& headings,
                               const std::vector<std::vector<std::string>>& rows) {
  std::vector<Column> columns(headings.size());
  for (std::size_t i = 0; i < headings.size(); ++i) {
    columns[i].width = shown_width(headings[i]);
  }
  for (const auto& row : rows) {
    columns.resize(std::max(columns.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) {
      columns[i].width = std::max(columns[i].width, shown_width(row[i]));
      columns[i].numeric = columns[i].numeric && (row[i].empty() || looks_numeric(row[i]));
    }
  }
  return columns;
}

std::string line(const std::vector<std::string>& cells, const std::vector<Column>& columns,
                 std::size_t indent) {
  std::string text(indent, ' ');
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string room(columns[i].width - shown_width(cells[i]), ' ');
    text += columns[i].numeric ? room + cells[i] : cells[i] + room;
    text += "  ";
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text + '\n';
}
}  // namespace

std::string TextTable::text(std::size_t indent) const {
  const auto columns = columns_of(headings_, rows_);
  std::string text;
  if (!headings_.empty()) {
    text += line(headings_, columns, indent);
  }
  for (const auto& row : rows_) {
    text += line(row, columns, indent);
  }
  return text;
}

std::size_t shown_width(const std::string& text) noexcept {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0) != 0x80;  // continuation bytes of UTF-8
  }));
}

}  // namespace weir::cli
