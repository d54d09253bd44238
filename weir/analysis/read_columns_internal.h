#pragma once

#include <memory>
#include <string>
#include <vector>

#include "weir/analysis/events.h"
#include "weir/formats/format_list.h"
#include "weir/formats/table_source.h"

namespace weir::analysis {

struct OpenedTable {
  std::shared_ptr<const formats::TableSource> source;
  std::vector<std::string> momenta;
  std::vector<std::string>
      columns;  ///< As expressions may call them: the file's, and "p.e" of each momentum.
};

/// Errors: `not_found`, and what reading says.
OpenedTable open_table(const DataSection& data, const formats::FormatList& formats);

/// Whole columns as numbers.
FileColumns read_columns(const OpenedTable& table, const std::vector<std::string>& names);

}  // namespace weir::analysis
