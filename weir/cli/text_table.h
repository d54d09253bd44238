#pragma once

#include <string>
#include <vector>

namespace weir::cli {

/// Rows of words, printed in columns as wide as their widest word.
class TextTable {
 public:
  /// Headings are printed only when there are any.
  explicit TextTable(std::vector<std::string> headings = {}) : headings_(std::move(headings)) {}
  void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  bool empty() const noexcept { return rows_.empty(); }
  /// Columns two spaces apart, indented by `indent`, no spaces at the ends of lines. Cells that are
  /// all numbers in a column stand to the right.
  std::string text(std::size_t indent = 0) const;

 private:
  std::vector<std::string> headings_;
  std::vector<std::vector<std::string>> rows_;
};

/// Letters shown, not bytes: "µV" is two.
std::size_t shown_width(const std::string& text) noexcept;

}  // namespace weir::cli
