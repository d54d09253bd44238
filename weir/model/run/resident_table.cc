#include "weir/model/run/resident_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "weir/core/error.h"
#include "weir/model/math/vector_functions.h"
#include "weir/model/run/binned_sum.h"

namespace weir::model {

std::int64_t padded_rows(std::int64_t rows) {
  return (rows + kMathLanes - 1) / kMathLanes * kMathLanes;
}

ResidentTable::ResidentTable(std::string name, std::int64_t rows)
    : name_(std::move(name)),
      rows_(rows),
      sum_of_weights_(static_cast<double>(rows)),
      sum_of_squared_weights_(sum_of_weights_) {
  WEIR_CHECK(rows >= 0);
}

AlignedBytes ResidentTable::padded(std::span<const double> values) const {
  AlignedBytes bytes(static_cast<std::size_t>(padded_rows(rows_)) * sizeof(double));
  auto* numbers = reinterpret_cast<double*>(bytes.data());
  std::copy(values.begin(), values.end(), numbers);
  if (!values.empty()) {
    std::fill(numbers + rows_, numbers + padded_rows(rows_), values.back());
  }
  return bytes;
}

void ResidentTable::add_column(std::string name, std::span<const double> values) {
  if (static_cast<std::int64_t>(values.size()) != rows_) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("{}: column {} has {} values, the table {} rows", name_, name,
                            values.size(), rows_));
  }
  if (columns_.contains(name)) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("{}: there is a column {} already", name_, name));
  }
  AlignedBytes bytes = padded(values);
  columns_.emplace(std::move(name), std::move(bytes));
}

void ResidentTable::set_weights(std::span<const double> weights) {
  if (static_cast<std::int64_t>(weights.size()) != rows_) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("{}: {} weights for {} rows", name_, weights.size(), rows_));
  }
  BinnedSum sum;
  BinnedSum squares;
  for (std::size_t row = 0; row < weights.size(); ++row) {
    if (!std::isfinite(weights[row])) {
      throw Error(ErrorCode::invalid_spec,
                  fmt::format("{}: the weight of row {} is {}", name_, row, weights[row]));
    }
    sum.add(weights[row]);
    squares.add(weights[row] * weights[row]);
  }
  weights_ = padded(weights);
  sum_of_weights_ = sum.value();
  sum_of_squared_weights_ = squares.value();
}

const double* ResidentTable::column(std::string_view name) const {
  const auto at = columns_.find(name);
  if (at == columns_.end()) {
    std::vector<std::string_view> names;
    names.reserve(columns_.size());
    for (const auto& [known, bytes] : columns_) {
      names.push_back(known);
    }
    throw Error(ErrorCode::not_found, fmt::format("{}: there is no column {} (there are: {})",
                                                  name_, name, fmt::join(names, ", ")));
  }
  return reinterpret_cast<const double*>(at->second.data());
}

const double* ResidentTable::weights() const {
  return weights_ ? reinterpret_cast<const double*>(weights_->data()) : nullptr;
}

std::size_t ResidentTable::bytes() const {
  const std::size_t columns = columns_.size() + (weights_ ? 1 : 0);
  return columns * static_cast<std::size_t>(padded_rows(rows_)) * sizeof(double);
}

}  // namespace weir::model
