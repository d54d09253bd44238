#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "weir/analysis/analysis.h"
#include "weir/analysis/expressions.h"
#include "weir/model/run/resident_table.h"

namespace weir::analysis {

/// The events a fit sees, and how many it does not.
struct Events {
  std::shared_ptr<model::ResidentTable>
      table;  ///< The density's columns, and weights where there are.
  std::vector<double> variable;
  std::vector<double> weights;  ///< Empty where every event counts once.
  std::int64_t rows_read = 0;
  std::int64_t rows_cut = 0;      ///< By `where`.
  std::int64_t rows_outside = 0;  ///< Of the range.
};

/// A table's columns as numbers: what the analysis asks a file for.
struct FileColumns {
  std::vector<std::string> names;
  std::vector<std::vector<double>> values;
  std::int64_t rows = 0;
};

/// Applies the cut, makes the derived columns, leaves out what lies outside of the range.
/// Errors: `invalid_spec` for no event left, saying where they went; for a value of the variable or
/// a weight that is no finite number, naming the row.
Events select_events(const Analysis& analysis, const Expressions& expressions,
                     const FileColumns& file);

}  // namespace weir::analysis
