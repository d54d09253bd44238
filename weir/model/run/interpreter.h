#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "weir/core/buffer.h"
#include "weir/model/compile/instruction_list.h"
#include "weir/model/run/tile_kernels.h"

namespace weir::model {

/// One number for all events, as kernels read it: kMathLanes copies of each.
class ScalarFile {
 public:
  explicit ScalarFile(std::int32_t count);
  void set(std::int32_t index, double value);
  double get(std::int32_t index) const;
  double* at(std::int32_t index) { return numbers() + index * kMathLanes; }
  const double* at(std::int32_t index) const { return numbers() + index * kMathLanes; }

 private:
  double* numbers() const { return reinterpret_cast<double*>(bytes_.data()); }
  AlignedBytes bytes_;
};

/// The scalars of a model for these parameters: constants, parameters, and what `invariant` makes
/// of them.
ScalarFile scalars_of(const CompiledModel& model, std::span<const double> parameters);

/// Runs a program over tiles of events that stay in the first-level cache. One thread's.
class Interpreter {
 public:
  explicit Interpreter(const Program& program);

  /// Binds what the program reads; all must outlive the runs. Columns are 64-byte aligned.
  void bind(const ScalarFile& scalars, std::span<const double* const> columns,
            std::span<const double* const> cached);

  /// Rows a run may take: a multiple of kMathLanes that divides a leaf.
  std::int64_t tile_rows() const { return tile_rows_; }

  /// Computes rows [first, first + count): first a multiple of kMathLanes; count too, and at most
  /// tile_rows().
  void run(std::int64_t first, std::int64_t count);

  /// Where an operand's numbers of the last run lie.
  Numbers numbers(const Operand& operand, std::int64_t first) const;

 private:
  struct Step {
    TileKernel kernel = nullptr;
    UnaryBatch unary = nullptr;
    BinaryBatch binary = nullptr;
    std::array<Numbers, 3> operands;
    std::array<std::int64_t, 3> advance = {};  ///< 1 for a column: its place moves with the rows.
    double* target = nullptr;
  };
  double* tile(std::int32_t index) const;
  Step decoded(const Instruction& instruction) const;

  const Program& program_;
  std::int64_t tile_rows_;
  AlignedBytes tiles_;
  const ScalarFile* scalars_ = nullptr;
  std::span<const double* const> columns_;
  std::span<const double* const> cached_;
  std::vector<Step> steps_;
};

}  // namespace weir::model
