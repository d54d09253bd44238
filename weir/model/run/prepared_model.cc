#include "weir/model/run/prepared_model.h"

#include <fmt/format.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <tuple>

#include "weir/core/error.h"
#include "weir/model/run/reduction_kernel_internal.h"
#include "weir/model/run/tile_loop.h"

namespace weir::model {
namespace {

std::vector<double> placed(const std::vector<std::int32_t>& places,
                           std::span<const double> values) {
  std::vector<double> result;
  result.reserve(places.size());
  for (const std::int32_t place : places) {
    result.push_back(values[static_cast<std::size_t>(place)]);
  }
  return result;
}

std::string text_of(const ModelNames& names, std::span<const double> values) {
  constexpr std::size_t kMostShown = 12;
  std::string text;
  for (std::size_t i = 0; i < std::min(values.size(), kMostShown); ++i) {
    text += fmt::format("{}{} = {:.6g}", i == 0 ? "" : ", ", names.parameters[i]->name, values[i]);
  }
  return values.size() > kMostShown
             ? text + fmt::format(", and {} more", values.size() - kMostShown)
             : text;
}

}  // namespace

struct PreparedDataset::Cache {
  const void* owner =
      nullptr;  ///< The model that bound the table: another one reads other columns.
  std::vector<const double*> columns;  ///< In the model's order.
  std::mutex mutex;
  std::map<const ReductionKernel*, std::vector<AlignedBytes>> kept;
};

std::size_t PreparedDataset::cached_bytes() const {
  const std::lock_guard lock(cache_->mutex);
  std::size_t bytes = 0;
  for (const auto& [kernel, columns] : cache_->kept) {
    for (const AlignedBytes& column : columns) {
      bytes += column.size();
    }
  }
  return bytes;
}

class PreparedModel::Impl {
 public:
  Impl(const Expr& model, Execution execution)
      : model_(model),
        arena_(execution.threads > 0 ? execution.threads : tbb::task_arena::automatic) {
    names_.columns = columns_of({&model, 1});
    for (const auto& parameter : parameters_of({&model, 1})) {
      if (!parameter->fixed) {
        names_.parameters.push_back(parameter);
      }
    }
  }

  const ModelNames& names() const { return names_; }
  int compilations() const { return compilations_; }
  std::size_t parameter_count() const { return names_.parameters.size(); }

  const ReductionKernel& kernel(Plan plan, Domain domain, Derivatives derivatives) {
    if (!model_.kind().is_real()) {
      throw Error(
          ErrorCode::invalid_spec,
          fmt::format("a sum over events needs a Real model, not a {}", text(model_.kind())));
    }
    // Outside a logarithm there is nothing to grade.
    if (plan != Plan::weighted_log_positive_real && domain == Domain::penalty) {
      domain = Domain::nan;
    }
    const std::lock_guard lock(mutex_);
    auto& made = kernels_[{plan, domain, derivatives}];
    if (!made) {
      made = std::make_unique<ReductionKernel>(
          make_reduction_kernel(model_, names_, plan, domain, derivatives));
      ++compilations_;
    }
    return *made;
  }

  const ReductionKernel& evaluation() {
    const std::lock_guard lock(mutex_);
    if (!evaluation_) {
      evaluation_ = std::make_unique<ReductionKernel>(make_evaluation_kernel(model_, names_));
      ++compilations_;
    }
    return *evaluation_;
  }

  void check(std::span<const double> parameters) const {
    if (parameters.size() != names_.parameters.size()) {
      throw Error(ErrorCode::invalid_spec,
                  fmt::format("{} parameter values for {} free parameters", parameters.size(),
                              names_.parameters.size()));
    }
  }

  ScalarFile scalars(const ReductionKernel& kernel, std::span<const double> parameters) const {
    return scalars_of(kernel.model, placed(kernel.parameters, parameters));
  }

  /// The table as the kernel reads it, with what it keeps for a dataset: computed here when it is
  /// first needed.
  BoundColumns bound(const ReductionKernel& kernel, const ResidentTable& table,
                     PreparedDataset::Cache& cache, const ScalarFile& scalars) {
    if (cache.owner != this) {
      throw Error(ErrorCode::invalid_spec,
                  fmt::format("{}: the dataset was prepared by another model", table.name()));
    }
    BoundColumns data{
        .columns = {}, .cached = {}, .weights = table.weights(), .rows = table.rows()};
    for (const std::int32_t column : kernel.columns) {
      data.columns.push_back(cache.columns[static_cast<std::size_t>(column)]);
    }
    if (kernel.model.cached.empty()) {
      return data;
    }
    const std::lock_guard lock(cache.mutex);
    std::vector<AlignedBytes>& kept = cache.kept[&kernel];
    if (kept.empty()) {
      std::vector<double*> targets;
      for (std::size_t i = 0; i < kernel.model.cached.size(); ++i) {
        kept.emplace_back(static_cast<std::size_t>(padded_rows(table.rows())) * sizeof(double));
        targets.push_back(reinterpret_cast<double*>(kept.back().data()));
      }
      // Alone: a thread that waits here must not take another piece of work that waits for this
      // lock.
      tbb::this_task_arena::isolate([&] {
        write_columns(kernel.model.event_only, kernel.model.cached, scalars, data, targets);
      });
    }
    for (const AlignedBytes& column : kept) {
      data.cached.push_back(reinterpret_cast<const double*>(column.data()));
    }
    return data;
  }

  WeightedSums sums(const ReductionKernel& kernel, std::span<const double> parameters,
                    const ResidentTable& table, PreparedDataset::Cache& cache,
                    bool squared_weights) {
    WeightedSums result;
    arena_.execute([&] {
      const ScalarFile values = scalars(kernel, parameters);
      const BoundColumns data = bound(kernel, table, cache, values);
      result = weighted_sums(kernel.model, values, data,
                             {.squared_weights = squared_weights,
                              .demand = kernel.demand,
                              .demanded = kernel.demanded,
                              .outputs = kernel.summed});
    });
    return result;
  }

  template <class Body>
  void in_arena(const Body& body) {
    arena_.execute(body);
  }

 private:
  Expr model_;
  ModelNames names_;
  tbb::task_arena arena_;
  std::mutex mutex_;
  std::map<std::tuple<Plan, Domain, Derivatives>, std::unique_ptr<ReductionKernel>> kernels_;
  std::unique_ptr<ReductionKernel> evaluation_;
  int compilations_ = 0;
};

namespace {

bool any_nan(std::span<const double> values) {
  return std::any_of(values.begin(), values.end(), [](double value) { return std::isnan(value); });
}

Reduction nothing_known(std::size_t parameters, Derivatives derivatives) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  Reduction result;
  result.value = kNaN;
  if (derivatives != Derivatives::none) {
    result.gradient.assign(parameters, kNaN);
  }
  if (derivatives == Derivatives::hessian) {
    result.hessian.assign(parameters * parameters, kNaN);
  }
  return result;
}

[[noreturn]] void refuse_row(const ResidentTable& table, const WeightedSums& sums,
                             const ReductionKernel& kernel, Plan plan,
                             const std::string& parameters) {
  const bool log = plan == Plan::weighted_log_positive_real;
  const char* wanted = log                               ? "positive and finite"
                       : kernel.demand == Demand::finite ? "finite"
                                                         : "finite and not negative";
  const std::string more = sums.bad_rows > 1 ? fmt::format(" ({} rows in all)", sums.bad_rows) : "";
  throw Error(ErrorCode::invalid_spec,
              fmt::format("{}: row {}: the model must be {}, but {} is {}{} at {}", table.name(),
                          sums.first_bad_row, wanted, log ? "its logarithm" : "its value",
                          sums.first_bad_value, more,
                          parameters.empty() ? "no free parameter" : parameters));
}

std::vector<double> gradient_of(const ReductionKernel& kernel, std::span<const double> parameters,
                                std::span<const double> sums) {
  if (!kernel.backward) {
    return {sums.begin(), sums.end()};
  }
  std::vector<double> inputs = placed(kernel.parameters, parameters);
  inputs.insert(inputs.end(), sums.begin(), sums.end());
  const ScalarFile scalars = scalars_of(*kernel.backward, inputs);
  std::vector<double> gradient;
  for (const Operand& output : kernel.backward->outputs) {
    gradient.push_back(scalars.get(output.index));
  }
  return gradient;
}

/// A lower triangle of the form's parameters as a whole matrix of the model's.
std::vector<double> matrix_of(const ReductionKernel& kernel, std::size_t count,
                              std::span<const double> triangle) {
  std::vector<double> matrix(count * count);
  std::size_t next = 0;
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const auto row = static_cast<std::size_t>(kernel.parameters[i]);
      const auto column = static_cast<std::size_t>(kernel.parameters[j]);
      matrix[row * count + column] = triangle[next];
      matrix[column * count + row] = triangle[next++];
    }
  }
  return matrix;
}

std::vector<double> vector_of(const ReductionKernel& kernel, std::size_t count,
                              std::span<const double> values) {
  std::vector<double> result(count);
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    result[static_cast<std::size_t>(kernel.parameters[i])] = values[i];
  }
  return result;
}

}  // namespace

PreparedModel::PreparedModel(const Expr& model, Execution execution)
    : impl_(std::make_unique<Impl>(model, execution)) {}
PreparedModel::~PreparedModel() = default;
PreparedModel::PreparedModel(PreparedModel&&) noexcept = default;
PreparedModel& PreparedModel::operator=(PreparedModel&&) noexcept = default;

const std::vector<std::shared_ptr<const Parameter>>& PreparedModel::parameters() const {
  return impl_->names().parameters;
}
const std::vector<std::string>& PreparedModel::required_columns() const {
  return impl_->names().columns;
}
int PreparedModel::compilations() const {
  return impl_->compilations();
}

std::string PreparedModel::listing(Plan plan) const {
  return text(impl_->kernel(plan, Domain::error, Derivatives::gradient).model);
}

PreparedDataset PreparedModel::prepare(std::shared_ptr<const ResidentTable> table) const {
  auto cache = std::make_shared<PreparedDataset::Cache>();
  cache->owner = impl_.get();
  for (const std::string& column : impl_->names().columns) {
    cache->columns.push_back(table->column(column));
  }
  return {std::move(table), std::move(cache)};
}

std::vector<std::vector<double>> PreparedModel::evaluate(std::span<const double> parameters,
                                                         const PreparedDataset& data) const {
  impl_->check(parameters);
  const ReductionKernel& kernel = impl_->evaluation();
  const std::size_t outputs = kernel.model.outputs.size();
  const auto rows = static_cast<std::size_t>(data.rows());
  std::vector<std::vector<double>> result(outputs);
  impl_->in_arena([&] {
    const ScalarFile scalars = impl_->scalars(kernel, parameters);
    const BoundColumns bound = impl_->bound(kernel, data.table(), *data.cache_, scalars);
    std::vector<AlignedBytes> columns;
    std::vector<double*> targets;
    for (std::size_t i = 0; i < outputs; ++i) {
      columns.emplace_back(static_cast<std::size_t>(padded_rows(data.rows())) * sizeof(double));
      targets.push_back(reinterpret_cast<double*>(columns.back().data()));
    }
    write_columns(kernel.model.mixed, kernel.model.outputs, scalars, bound, targets);
    for (std::size_t i = 0; i < outputs; ++i) {
      result[i].assign(targets[i], targets[i] + rows);
    }
  });
  return result;
}

namespace {

/// The sums of a kernel, in the order the kernel was built in, as what the caller asked for.
Reduction arranged(const ReductionKernel& kernel, Derivatives derivatives,
                   std::span<const double> parameters, const WeightedSums& sums) {
  const std::size_t count = parameters.size();
  Reduction result{.value = sums.sums[0],
                   .gradient = {},
                   .hessian = {},
                   .bad_rows = sums.bad_rows,
                   .first_bad_row = sums.first_bad_row};
  const std::span<const double> rest = std::span(sums.sums).subspan(1);
  if (derivatives == Derivatives::gradient) {
    result.gradient = vector_of(kernel, count, gradient_of(kernel, parameters, rest));
  } else if (derivatives == Derivatives::hessian) {
    result.gradient = vector_of(kernel, count, rest.first(kernel.parameters.size()));
    result.hessian = matrix_of(kernel, count, rest.subspan(kernel.parameters.size()));
  }
  return result;
}

}  // namespace

Reduction PreparedModel::reduce_derivatives(std::span<const double> parameters,
                                            const PreparedDataset& data, Plan plan, Domain domain,
                                            Derivatives derivatives) const {
  impl_->check(parameters);
  const ReductionKernel& kernel = impl_->kernel(plan, domain, derivatives);
  if (any_nan(parameters)) {
    return nothing_known(parameters.size(), derivatives);
  }
  const WeightedSums sums = impl_->sums(kernel, parameters, data.table(), *data.cache_, false);
  if (domain == Domain::error && sums.bad_rows > 0) {
    refuse_row(data.table(), sums, kernel, plan, text_of(impl_->names(), parameters));
  }
  return arranged(kernel, derivatives, parameters, sums);
}

Reduction PreparedModel::reduce(std::span<const double> parameters, const PreparedDataset& data,
                                Plan plan, Domain domain) const {
  return reduce_derivatives(parameters, data, plan, domain, Derivatives::none);
}

Reduction PreparedModel::reduce_with_gradient(std::span<const double> parameters,
                                              const PreparedDataset& data, Plan plan,
                                              Domain domain) const {
  return reduce_derivatives(parameters, data, plan, domain, Derivatives::gradient);
}

Reduction PreparedModel::reduce_with_hessian(std::span<const double> parameters,
                                             const PreparedDataset& data, Plan plan,
                                             Domain domain) const {
  return reduce_derivatives(parameters, data, plan, domain, Derivatives::hessian);
}

ScoreMoments PreparedModel::score_moments(std::span<const double> parameters,
                                          const PreparedDataset& data, Plan plan) const {
  impl_->check(parameters);
  const ReductionKernel& kernel = impl_->kernel(plan, Domain::error, Derivatives::scores);
  const WeightedSums sums = impl_->sums(kernel, parameters, data.table(), *data.cache_, true);
  if (sums.bad_rows > 0) {
    refuse_row(data.table(), sums, kernel, plan, text_of(impl_->names(), parameters));
  }
  const std::size_t own = kernel.parameters.size();
  const std::span<const double> all = sums.sums;
  return {.weights_squared = data.table().sum_of_squared_weights(),
          .scores = vector_of(kernel, parameters.size(), all.first(own)),
          .products = matrix_of(kernel, parameters.size(), all.subspan(own))};
}

}  // namespace weir::model
