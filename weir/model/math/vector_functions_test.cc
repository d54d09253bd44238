#include "weir/model/math/vector_functions.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "weir/core/error.h"
#include "weir/model/math/every_table_internal.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace weir::model {
namespace {

struct Elementary {
  Function function;
  double (*libm)(double);
};

constexpr Elementary kElementary[] = {
    {Function::exp, std::exp},     {Function::expm1, std::expm1}, {Function::log, std::log},
    {Function::log1p, std::log1p}, {Function::cbrt, std::cbrt},   {Function::sin, std::sin},
    {Function::cos, std::cos},     {Function::tan, std::tan},     {Function::atan, std::atan},
    {Function::sinh, std::sinh},   {Function::cosh, std::cosh},   {Function::tanh, std::tanh},
    {Function::erf, std::erf},     {Function::erfc, std::erfc}};

TEST(VectorFunctions, AgreeWithLibmAtTheEdges) {
  for (const FunctionTable* table : every_table()) {
    for (const auto& [function, libm] : kElementary) {
      for (const double x : edge_values()) {
        const double y = in_lane(*table, function, x, 0);
        EXPECT_LE(steps_apart(y, libm(x)), 4) << table->source << " " << name(function) << "(" << x
                                              << ") = " << y << ", not " << libm(x);
      }
    }
  }
}

TEST(VectorFunctions, OfTwoArgumentsAgreeWithLibmAtTheEdges) {
  for (const FunctionTable* table : every_table()) {
    for (const double a : edge_values()) {
      for (const double b : edge_values()) {
        const double power = in_lane(*table, Function::pow, a, b);
        EXPECT_LE(steps_apart(power, std::pow(a, b)), 4)
            << table->source << " pow(" << a << ", " << b << ") = " << power;
        const double angle = in_lane(*table, Function::atan2, a, b);
        EXPECT_LE(steps_apart(angle, std::atan2(a, b)), 4)
            << table->source << " atan2(" << a << ", " << b << ") = " << angle;
      }
    }
  }
}

TEST(VectorFunctions, TakeAnArcSineJustBeyondOneAsThatOfOne) {
  const double most = 1 + 4 * std::numeric_limits<double>::epsilon();
  for (const FunctionTable* table : every_table()) {
    for (const double x : {1.0, std::nextafter(1.0, 2.0), most}) {
      EXPECT_EQ(in_lane(*table, Function::asin, x, 0), std::asin(1.0)) << table->source;
      EXPECT_EQ(in_lane(*table, Function::asin, -x, 0), std::asin(-1.0)) << table->source;
      EXPECT_EQ(in_lane(*table, Function::acos, x, 0), 0.0) << table->source;
      EXPECT_EQ(in_lane(*table, Function::acos, -x, 0), std::acos(-1.0)) << table->source;
    }
    for (const double x : {std::nextafter(most, 2.0), 1.5, 1e300, HUGE_VAL, double(NAN)}) {
      EXPECT_TRUE(std::isnan(in_lane(*table, Function::asin, x, 0))) << table->source << x;
      EXPECT_TRUE(std::isnan(in_lane(*table, Function::acos, -x, 0))) << table->source << x;
    }
  }
}

// Values for which libmvec and our functions leave their main path stand in the other lanes.
TEST(VectorFunctions, GiveAValueTheSameBitsInEveryLaneWhateverStandsInTheOthers) {
  const double kValues[] = {0.7, -0.3, 1.25, 3.9, 21.5, -2.6, 1e-310, 1e10};
  const double kOthers[] = {0.5, -0.5, 1e5, -1e300, 1e-310, HUGE_VAL, double(NAN)};
  for (const FunctionTable* table : every_table()) {
    for (int f = 0; f < kFunctionCount; ++f) {
      const auto function = static_cast<Function>(f);
      for (const double x : kValues) {
        const double expected = in_lane(*table, function, x, 0.6, 0, x);
        for (int lane = 0; lane < kMathLanes; ++lane) {
          for (const double others : kOthers) {
            const double y = in_lane(*table, function, x, 0.6, lane, others);
            EXPECT_EQ(steps_apart(y, expected), 0)
                << table->source << " " << name(function) << "(" << x << ") = " << expected;
          }
        }
      }
    }
  }
}

TEST(VectorFunctions, MayWriteOverTheirArguments) {
  Lanes a;
  Lanes b;
  Lanes y;
  for (int f = 0; f < kFunctionCount; ++f) {
    const auto function = static_cast<Function>(f);
    for (const bool over_first : {true, false}) {
      for (int i = 0; i < kMathLanes; ++i) {
        a.values[i] = 0.1 + 0.1 * i;
        b.values[i] = 0.9 - 0.1 * i;
      }
      apply(function, a.values, b.values, y.values, kMathLanes);
      double* const over = over_first || arity(function) == 1 ? a.values : b.values;
      apply(function, a.values, b.values, over, kMathLanes);
      for (int i = 0; i < kMathLanes; ++i) {
        EXPECT_EQ(over[i], y.values[i]) << name(function);
      }
    }
  }
}

TEST(VectorFunctions, HaveTheBatchFormOfTheirArityAndNoOther) {
  for (const FunctionTable* table : every_table()) {
    for (int f = 0; f < kFunctionCount; ++f) {
      const bool one = arity(static_cast<Function>(f)) == 1;
      EXPECT_EQ(table->unary[f] != nullptr, one) << name(static_cast<Function>(f));
      EXPECT_EQ(table->binary[f] != nullptr, !one) << name(static_cast<Function>(f));
    }
  }
}

#if defined(__x86_64__)
__attribute__((target("avx512f"))) void through_entry(void* entry, int arguments, const Lanes& a,
                                                      const Lanes& b, Lanes& y) {
  const __m512d x = _mm512_load_pd(a.values);
  __m512d result;
  if (arguments == 1) {
    result = reinterpret_cast<__m512d (*)(__m512d)>(entry)(x);
  } else {
    const __m512d z = _mm512_load_pd(b.values);
    result = reinterpret_cast<__m512d (*)(__m512d, __m512d)>(entry)(x, z);
  }
  _mm512_store_pd(y.values, result);
}

TEST(VectorFunctions, HaveEntriesForRegistersThatGiveTheSameBits) {
  const FunctionTable* table = function_table(MathTarget::avx512);
  if (table == nullptr) {
    GTEST_SKIP() << "this machine has no AVX-512, or no libmvec";
  }
  const Lanes a = {{0.1, -0.7, 1 + 2.3e-16, 3.0, 5.5, -2.5, 1e-3, 0.99}};
  const Lanes b = {{0.3, 2.0, -0.5, 0.0, 1.0, 3.0, -1.0, 0.2}};
  for (int f = 0; f < kFunctionCount; ++f) {
    const auto function = static_cast<Function>(f);
    ASSERT_NE(table->entry[f], nullptr) << name(function);
    Lanes y;
    through_entry(table->entry[f], arity(function), a, b, y);
    for (int i = 0; i < kMathLanes; ++i) {
      const double batch = in_lane(*table, function, a.values[i], b.values[i], i);
      EXPECT_EQ(steps_apart(y.values[i], batch), 0) << name(function) << " of " << a.values[i];
    }
  }
}
#endif

// Each question is asked by a new process: the choice is made once in a life.
int chosen_width(const char* asked) {
  setenv("WEIR_VECTOR_MATH", asked, 1);
  try {
    return vector_width();
  } catch (const Error& error) {
    std::cerr << error.what() << "\n";
    return 100 + static_cast<int>(error.code());
  }
}

TEST(VectorFunctionsDeathTest, AreThoseThatTheEnvironmentAsksFor) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(std::exit(chosen_width("portable")), testing::ExitedWithCode(1), "");
  if (function_table(MathTarget::avx2) != nullptr) {
    EXPECT_EXIT(std::exit(chosen_width("avx2")), testing::ExitedWithCode(4), "");
  }
  if (function_table(MathTarget::avx512) != nullptr) {
    EXPECT_EXIT(std::exit(chosen_width("")), testing::ExitedWithCode(8), "");
  }
  EXPECT_EXIT(std::exit(chosen_width("sse9")),
              testing::ExitedWithCode(100 + static_cast<int>(ErrorCode::invalid_spec)),
              "\"sse9\" is none of avx512, avx2, portable");
}

}  // namespace
}  // namespace weir::model
