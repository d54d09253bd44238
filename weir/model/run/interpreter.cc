#include "weir/model/run/interpreter.h"

#include <algorithm>

#include "weir/core/error.h"

namespace weir::model {
namespace {

constexpr std::int64_t kCacheBytes = 32 << 10;
constexpr std::int64_t kMostRows = 1024;
constexpr std::int64_t kLeastRows = 64;

std::int64_t rows_that_fit(std::int32_t tiles) {
  std::int64_t rows = kMostRows;
  while (rows > kLeastRows &&
         rows * static_cast<std::int64_t>(sizeof(double)) * std::max(tiles, 1) > kCacheBytes) {
    rows /= 2;
  }
  return rows;
}

std::size_t bytes_of(std::int64_t numbers) {
  return static_cast<std::size_t>(numbers) * sizeof(double);
}

}  // namespace

ScalarFile::ScalarFile(std::int32_t count) : bytes_(bytes_of(std::int64_t{count} * kMathLanes)) {}

void ScalarFile::set(std::int32_t index, double value) {
  std::fill_n(at(index), kMathLanes, value);
}

double ScalarFile::get(std::int32_t index) const {
  return *at(index);
}

ScalarFile scalars_of(const CompiledModel& model, std::span<const double> parameters) {
  WEIR_CHECK(parameters.size() == model.symbols.parameters.size());
  ScalarFile scalars(model.scalars);
  std::int32_t next = 0;
  for (const double constant : model.constants) {
    scalars.set(next++, constant);
  }
  for (const double parameter : parameters) {
    scalars.set(next++, parameter);
  }
  const auto numbers = [&](const Operand& operand) {
    return Numbers{operand.place == Operand::Place::none ? nullptr : scalars.at(operand.index), 1};
  };
  for (const Instruction& step : model.invariant.instructions) {
    const std::array<Numbers, 3> in = {numbers(step.operands[0]), numbers(step.operands[1]),
                                       numbers(step.operands[2])};
    double* out = scalars.at(step.target);
    if (step.code == Code::unary) {
      unary_batch(step.function)(in[0].at, out, kMathLanes);
    } else if (step.code == Code::binary) {
      binary_batch(step.function)(in[0].at, in[1].at, out, kMathLanes);
    } else {
      tile_kernel(step.code)(in[0], in[1], in[2], out, kMathLanes);
    }
  }
  return scalars;
}

Interpreter::Interpreter(const Program& program)
    : program_(program),
      tile_rows_(rows_that_fit(program.tiles)),
      tiles_(bytes_of(tile_rows_ * std::max(program.tiles, 1))) {}

double* Interpreter::tile(std::int32_t index) const {
  return reinterpret_cast<double*>(tiles_.data()) + index * tile_rows_;
}

Numbers Interpreter::numbers(const Operand& operand, std::int64_t first) const {
  const auto index = static_cast<std::size_t>(operand.index);
  switch (operand.place) {
    case Operand::Place::scalar:
      return {scalars_->at(operand.index), 0};
    case Operand::Place::column:
      return {columns_[index] + first, 1};
    case Operand::Place::cached:
      return {cached_[index] + first, 1};
    case Operand::Place::tile:
      return {tile(operand.index), 1};
    case Operand::Place::none:
      break;
  }
  return {};
}

Interpreter::Step Interpreter::decoded(const Instruction& instruction) const {
  Step step;
  for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
    const Operand& operand = instruction.operands[i];
    step.operands[i] = numbers(operand, 0);
    step.advance[i] =
        operand.place == Operand::Place::column || operand.place == Operand::Place::cached ? 1 : 0;
  }
  step.target = tile(instruction.target);
  if (instruction.code == Code::unary) {
    step.unary = unary_batch(instruction.function);
  } else if (instruction.code == Code::binary) {
    step.binary = binary_batch(instruction.function);
  } else {
    step.kernel = tile_kernel(instruction.code);
  }
  WEIR_CHECK(step.kernel != nullptr || step.unary != nullptr || step.binary != nullptr);
  return step;
}

void Interpreter::bind(const ScalarFile& scalars, std::span<const double* const> columns,
                       std::span<const double* const> cached) {
  scalars_ = &scalars;
  columns_ = columns;
  cached_ = cached;
  steps_.clear();
  for (const Instruction& instruction : program_.instructions) {
    steps_.push_back(decoded(instruction));
  }
}

void Interpreter::run(std::int64_t first, std::int64_t count) {
  for (const Step& step : steps_) {
    const auto at = [&](std::size_t i) {
      return Numbers{step.operands[i].at + step.advance[i] * first, step.operands[i].step};
    };
    if (step.kernel != nullptr) {
      step.kernel(at(0), at(1), at(2), step.target, count);
    } else if (step.unary != nullptr) {
      step.unary(at(0).at, step.target, count);
    } else {
      step.binary(at(0).at, at(1).at, step.target, count);
    }
  }
}

}  // namespace weir::model
