#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "weir/formats/table_source.h"

namespace weir::formats {

enum class CutOperator { less, at_most, more, at_least, equal, unequal };

/// One comparison of a column with a number.
struct CutTerm {
  std::string column;
  CutOperator comparison = CutOperator::less;
  double value = 0;
};

/// The comparisons that a row must all pass: "mass > 70 and mass < 110 and charge == 0". A column
/// whose name is no word stands in quotes of either kind. NaN passes none but `!=`.
struct TableCut {
  std::vector<CutTerm> terms;

  /// Errors: `invalid_spec` with the place in the text.
  static TableCut parse(std::string_view text);
};

/// One cut for each bin between neighbouring edges of a column: the lower edge belongs to a bin,
/// the upper one to the next, the last to the last bin. Errors: `invalid_spec` for fewer than two
/// edges, or edges that do not rise.
std::vector<TableCut> bin_cuts(const std::string& column, const std::vector<double>& edges);

bool passes(const CutTerm& term, double value) noexcept;
/// Whether a value of that range may pass; NaN may stand among them.
bool may_pass(const CutTerm& term, const ColumnRange& range) noexcept;

}  // namespace weir::formats
