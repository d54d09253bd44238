#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "weir/model/run/interpreter.h"

namespace weir::model {

/// Rows of one leaf of every sum: consecutive, from a multiple of this.
inline constexpr std::int64_t kLeafRows = 1024;

/// The columns of a dataset as one compiled model reads them.
struct BoundColumns {
  std::vector<const double*> columns;
  std::vector<const double*> cached;
  const double* weights = nullptr;  ///< Null: 1 each.
  std::int64_t rows = 0;
};

/// How a sum over events is to be made.
struct SumRequest {
  bool squared_weights = false;
  Demand demand = Demand::nothing;
  Operand demanded;      ///< What must meet the demand.
  std::int32_t outputs;  ///< How many of the model's outputs are summed, from the first.
};

struct WeightedSums {
  std::vector<double> sums;
  std::int64_t bad_rows =
      0;  ///< Rows whose value does not meet the demand and whose weight is not 0.
  std::int64_t first_bad_row = -1;
  double first_bad_value = 0;
};

/// sum_i w_i y_i for outputs y: leaves of kLeafRows rows in eight fixed lanes each, joined by
/// BinnedSum. The same bits for any number of threads. Called inside the arena that shall do the
/// work.
WeightedSums weighted_sums(const CompiledModel& model, const ScalarFile& scalars,
                           const BoundColumns& data, const SumRequest& request);

/// Writes the outputs of `program` for every row into `columns`, each padded to whole vectors.
void write_columns(const Program& program, std::span<const Operand> outputs,
                   const ScalarFile& scalars, const BoundColumns& data,
                   std::span<double* const> columns);

}  // namespace weir::model
