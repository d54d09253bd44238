#pragma once

#include <array>
#include <string_view>

#include "weir/model/math/vector_functions.h"

namespace weir::model {

/// Every function at one width. All batch forms of the right arity are there.
struct FunctionTable {
  std::string_view source;
  int width = 1;
  std::array<UnaryBatch, kFunctionCount> unary{};
  std::array<BinaryBatch, kFunctionCount> binary{};
  std::array<void*, kFunctionCount> entry{};
  FaddeevaBatch faddeeva = nullptr;
};

/// portable: compiled for what the whole program asks of a machine.
enum class MathTarget : std::uint8_t { portable, avx2, avx512 };

/// The functions for that target, or null where this machine lacks the instructions or libmvec.
const FunctionTable* function_table(MathTarget target);

/// Elementary functions by libm, one value at a time.
void fill_from_libm(FunctionTable& table);

/// Elementary functions by libmvec; false where it is not there, or not whole.
bool fill_from_libmvec(MathTarget target, FunctionTable& table);

/// The special functions, which are ours on every machine.
void fill_special(MathTarget target, FunctionTable& table);

}  // namespace weir::model
