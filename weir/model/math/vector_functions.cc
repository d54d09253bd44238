#include "weir/model/math/vector_functions.h"

#include <cstdlib>
#include <string>

#include "weir/core/error.h"
#include "weir/model/math/function_table_internal.h"

namespace weir::model {
namespace {

constexpr std::array<std::string_view, kFunctionCount> kNames = {
    "exp",        "expm1",      "log",   "log1p",  "cbrt",        "sin",        "cos",
    "tan",        "asin",       "acos",  "atan",   "sinh",        "cosh",       "tanh",
    "erf",        "erfc",       "erfcx", "lgamma", "digamma",     "trigamma",   "dawson",
    "bessel_i0e", "bessel_i1e", "pow",   "atan2",  "faddeeva_re", "faddeeva_im"};

std::size_t index(Function function) {
  return static_cast<std::size_t>(function);
}

const FunctionTable* make_portable() {
  static FunctionTable table{"libm", 1, {}, {}, {}, nullptr};
  fill_from_libm(table);
  fill_special(MathTarget::portable, table);
  return &table;
}

const FunctionTable* make_vector(MathTarget target) {
  static FunctionTable avx2{"libmvec AVX2", 4, {}, {}, {}, nullptr};
  static FunctionTable avx512{"libmvec AVX-512", 8, {}, {}, {}, nullptr};
  FunctionTable& table = target == MathTarget::avx2 ? avx2 : avx512;
  if (!fill_from_libmvec(target, table)) {
    return nullptr;
  }
  fill_special(target, table);
  return &table;
}

const FunctionTable& asked_for(std::string_view name) {
  const FunctionTable* table = nullptr;
  if (name == "avx512") {
    table = function_table(MathTarget::avx512);
  } else if (name == "avx2") {
    table = function_table(MathTarget::avx2);
  } else if (name == "portable") {
    table = function_table(MathTarget::portable);
  } else {
    throw Error(ErrorCode::invalid_spec, "WEIR_VECTOR_MATH: \"" + std::string(name) +
                                             "\" is none of avx512, avx2, portable");
  }
  if (table == nullptr) {
    throw Error(ErrorCode::unsupported, "WEIR_VECTOR_MATH: this machine has no " +
                                            std::string(name) + ", or its glibc no libmvec");
  }
  return *table;
}

const FunctionTable& choose() {
  if (const char* name = std::getenv("WEIR_VECTOR_MATH"); name != nullptr && *name != '\0') {
    return asked_for(name);
  }
  for (const auto target : {MathTarget::avx512, MathTarget::avx2}) {
    if (const FunctionTable* table = function_table(target)) {
      return *table;
    }
  }
  return *function_table(MathTarget::portable);
}

const FunctionTable& chosen() {
  static const FunctionTable& table = choose();
  return table;
}

}  // namespace

const FunctionTable* function_table(MathTarget target) {
  static const FunctionTable* const kPortable = make_portable();
  static const FunctionTable* const kAvx2 = make_vector(MathTarget::avx2);
  static const FunctionTable* const kAvx512 = make_vector(MathTarget::avx512);
  switch (target) {
    case MathTarget::avx512:
      return kAvx512;
    case MathTarget::avx2:
      return kAvx2;
    default:
      return kPortable;
  }
}

int arity(Function function) {
  return function < Function::pow ? 1 : 2;
}

std::string_view name(Function function) {
  return kNames[index(function)];
}

UnaryBatch unary_batch(Function function) {
  return chosen().unary[index(function)];
}

BinaryBatch binary_batch(Function function) {
  return chosen().binary[index(function)];
}

void apply(Function function, const double* a, const double* b, double* y, std::int64_t count) {
  if (arity(function) == 1) {
    unary_batch(function)(a, y, count);
  } else {
    binary_batch(function)(a, b, y, count);
  }
}

FaddeevaBatch faddeeva_batch() {
  return chosen().faddeeva;
}

void* vector_entry(Function function) {
  return chosen().entry[index(function)];
}

int vector_width() {
  return chosen().width;
}

std::string_view vector_source() {
  return chosen().source;
}

}  // namespace weir::model
