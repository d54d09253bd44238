#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weir/core/buffer.h"

namespace weir::model {

/// Events in memory: named columns of doubles of one length, and perhaps weights.
/// Columns lie on 64-byte boundaries and are filled up to whole vectors with the last row's values.
class ResidentTable {
 public:
  /// `name` stands in errors: a file's name, "data".
  ResidentTable(std::string name, std::int64_t rows);

  /// Errors: `invalid_spec` for a second column of the name or another length than the table's.
  void add_column(std::string name, std::span<const double> values);
  /// Errors: `invalid_spec` for another length, or a weight that is no finite number, naming its
  /// row.
  void set_weights(std::span<const double> weights);

  const std::string& name() const { return name_; }
  std::int64_t rows() const { return rows_; }
  /// Errors: `not_found` naming the table, the column, and those there are.
  const double* column(std::string_view name) const;
  /// Null where every event counts once.
  const double* weights() const;
  double sum_of_weights() const { return sum_of_weights_; }
  double sum_of_squared_weights() const { return sum_of_squared_weights_; }
  std::size_t bytes() const;

 private:
  AlignedBytes padded(std::span<const double> values) const;

  std::string name_;
  std::int64_t rows_;
  std::map<std::string, AlignedBytes, std::less<>> columns_;
  std::optional<AlignedBytes> weights_;
  double sum_of_weights_;
  double sum_of_squared_weights_;
};

/// Room for `rows` numbers, filled up to whole vectors.
std::int64_t padded_rows(std::int64_t rows);

}  // namespace weir::model
