#include "weir/model/run/tile_loop.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <mutex>

#include "weir/core/parallel_loop.h"
#include "weir/model/run/binned_sum.h"
#include "weir/model/run/resident_table.h"

namespace weir::model {
namespace {

constexpr std::int64_t kLeavesPerTask = 16;

struct alignas(64) Ones {
  std::array<double, kMathLanes> values;
};
constexpr Ones kOnes = {{1, 1, 1, 1, 1, 1, 1, 1}};

/// Interpreters that are free for a task: as many as tasks that ran at once.
class InterpreterPool {
 public:
  InterpreterPool(const Program& program, const ScalarFile& scalars, const BoundColumns& data)
      : program_(program), scalars_(scalars), data_(data) {}

  std::unique_ptr<Interpreter> take() {
    {
      const std::lock_guard lock(mutex_);
      if (!free_.empty()) {
        std::unique_ptr<Interpreter> one = std::move(free_.back());
        free_.pop_back();
        return one;
      }
    }
    auto made = std::make_unique<Interpreter>(program_);
    made->bind(scalars_, data_.columns, data_.cached);
    return made;
  }

  void give_back(std::unique_ptr<Interpreter> one) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(one));
  }

 private:
  const Program& program_;
  const ScalarFile& scalars_;
  const BoundColumns& data_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Interpreter>> free_;
};

Numbers moved(Numbers numbers, std::int64_t by) {
  return {numbers.at + numbers.step * by, numbers.step};
}

bool meets(Demand demand, double value) {
  return std::isfinite(value) && (demand != Demand::positive || value > 0) &&
         (demand != Demand::non_negative || value >= 0);
}

/// The sums of one task's leaves.
class TaskSums {
 public:
  TaskSums(const CompiledModel& model, const BoundColumns& data, const SumRequest& request)
      : model_(model),
        data_(data),
        request_(request),
        totals_(static_cast<std::size_t>(request.outputs)),
        summed_(totals_.size()),
        lanes_(static_cast<std::size_t>(request.outputs) * kMathLanes * sizeof(double)),
        weights_(kLeafRows * sizeof(double)) {}

  void add_leaf(Interpreter& interpreter, std::int64_t leaf) {
    const std::int64_t begin = leaf * kLeafRows;
    const std::int64_t end = std::min(begin + kLeafRows, data_.rows);
    std::fill_n(lanes(), request_.outputs * kMathLanes, 0.0);
    for (std::int64_t first = begin; first < end; first += interpreter.tile_rows()) {
      add_tile(interpreter, first, std::min(interpreter.tile_rows(), end - first));
    }
    for (std::int32_t output = 0; output < request_.outputs; ++output) {
      const double* l = lanes() + output * kMathLanes;
      totals_[static_cast<std::size_t>(output)].add(((l[0] + l[1]) + (l[2] + l[3])) +
                                                    ((l[4] + l[5]) + (l[6] + l[7])));
    }
  }

  void join_into(std::vector<BinnedSum>& sums, WeightedSums& result) const {
    for (std::size_t i = 0; i < sums.size(); ++i) {
      sums[i].add(totals_[i]);
    }
    result.bad_rows += bad_.bad_rows;
    if (bad_.bad_rows > 0 &&
        (result.first_bad_row < 0 || bad_.first_bad_row < result.first_bad_row)) {
      result.first_bad_row = bad_.first_bad_row;
      result.first_bad_value = bad_.first_bad_value;
    }
  }

 private:
  double* lanes() const { return reinterpret_cast<double*>(lanes_.data()); }
  double* weights() const { return reinterpret_cast<double*>(weights_.data()); }

  void add_tile(Interpreter& interpreter, std::int64_t first, std::int64_t rows) {
    const std::int64_t padded = padded_rows(rows);
    interpreter.run(first, padded);
    const Numbers w = weights_of(first, rows, padded);
    if (request_.demand != Demand::nothing) {
      const Numbers demanded = interpreter.numbers(request_.demanded, first);
      if (!all_meet(request_.demand, w, demanded, padded)) {
        note_bad(w, demanded, first, rows);
      }
    }
    for (std::size_t output = 0; output < summed_.size(); ++output) {
      summed_[output] = interpreter.numbers(model_.outputs[output], first);
    }
    add_weighted(w, summed_, padded, lanes());
  }

  /// The weights of a tile: 0 past the last row.
  Numbers weights_of(std::int64_t first, std::int64_t rows, std::int64_t padded) {
    if (rows == padded && !request_.squared_weights) {
      return data_.weights == nullptr ? Numbers{kOnes.values.data(), 0}
                                      : Numbers{data_.weights + first, 1};
    }
    double* w = weights();
    for (std::int64_t i = 0; i < rows; ++i) {
      const double weight = data_.weights == nullptr ? 1.0 : data_.weights[first + i];
      w[i] = request_.squared_weights ? weight * weight : weight;
    }
    std::fill(w + rows, w + padded, 0.0);
    return {w, 1};
  }

  void note_bad(Numbers w, Numbers values, std::int64_t first, std::int64_t rows) {
    for (std::int64_t i = 0; i < rows; ++i) {
      const double value = *moved(values, i).at;
      if (*moved(w, i).at != 0 && !meets(request_.demand, value)) {
        if (bad_.bad_rows == 0) {
          bad_.first_bad_row = first + i;
          bad_.first_bad_value = value;
        }
        ++bad_.bad_rows;
      }
    }
  }

  const CompiledModel& model_;
  const BoundColumns& data_;
  const SumRequest& request_;
  std::vector<BinnedSum> totals_;
  std::vector<Numbers> summed_;  ///< Where the outputs of a tile lie.
  AlignedBytes lanes_;
  AlignedBytes weights_;
  WeightedSums bad_;
};

}  // namespace

WeightedSums weighted_sums(const CompiledModel& model, const ScalarFile& scalars,
                           const BoundColumns& data, const SumRequest& request) {
  std::vector<BinnedSum> sums(static_cast<std::size_t>(request.outputs));
  WeightedSums result;
  std::mutex mutex;
  InterpreterPool pool(model.mixed, scalars, data);
  const std::int64_t leaves = (data.rows + kLeafRows - 1) / kLeafRows;
  parallel_loop((leaves + kLeavesPerTask - 1) / kLeavesPerTask, [&](std::int64_t task) {
    TaskSums own(model, data, request);
    std::unique_ptr<Interpreter> interpreter = pool.take();
    const std::int64_t end = std::min((task + 1) * kLeavesPerTask, leaves);
    for (std::int64_t leaf = task * kLeavesPerTask; leaf < end; ++leaf) {
      own.add_leaf(*interpreter, leaf);
    }
    pool.give_back(std::move(interpreter));
    const std::lock_guard lock(mutex);
    own.join_into(sums, result);
  });
  for (const BinnedSum& sum : sums) {
    result.sums.push_back(sum.value());
  }
  return result;
}

void write_columns(const Program& program, std::span<const Operand> outputs,
                   const ScalarFile& scalars, const BoundColumns& data,
                   std::span<double* const> columns) {
  InterpreterPool pool(program, scalars, data);
  constexpr std::int64_t kRowsPerTask = kLeavesPerTask * kLeafRows;
  const std::int64_t rows = padded_rows(data.rows);
  parallel_loop((rows + kRowsPerTask - 1) / kRowsPerTask, [&](std::int64_t task) {
    std::unique_ptr<Interpreter> interpreter = pool.take();
    const std::int64_t end = std::min((task + 1) * kRowsPerTask, rows);
    for (std::int64_t first = task * kRowsPerTask; first < end; first += interpreter->tile_rows()) {
      const std::int64_t count = std::min(interpreter->tile_rows(), end - first);
      interpreter->run(first, count);
      for (std::size_t i = 0; i < outputs.size(); ++i) {
        tile_kernel(Code::copy)(interpreter->numbers(outputs[i], first), {}, {}, columns[i] + first,
                                count);
      }
    }
    pool.give_back(std::move(interpreter));
  });
}

}  // namespace weir::model
