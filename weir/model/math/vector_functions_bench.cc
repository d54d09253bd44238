#include <benchmark/benchmark.h>

#include <string>

#include "weir/model/math/vector_functions.h"

namespace weir::model {
namespace {

// A tile as the interpreter hands it over: in the first cache.
constexpr std::int64_t kCount = 512;

struct alignas(64) Tile {
  double values[kCount];
};

// Arguments in the range where the function is not one of its limits.
void time_function(benchmark::State& bench, Function function) {
  static Tile a;
  static Tile b;
  static Tile y;
  for (std::int64_t i = 0; i < kCount; ++i) {
    const double part = static_cast<double>(i * 389 % kCount) / kCount;
    const bool is_sine = function == Function::asin || function == Function::acos;
    a.values[i] = is_sine ? part : 0.01 + 12 * part;
    b.values[i] = 0.01 + 4 * part * part;
  }
  for (auto turn : bench) {
    apply(function, a.values, b.values, y.values, kCount);
    benchmark::ClobberMemory();
  }
  bench.counters["ns/value"] =
      benchmark::Counter(static_cast<double>(bench.iterations() * kCount) * 1e-9,
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

const int kRegistered = [] {
  for (int f = 0; f < kFunctionCount; ++f) {
    const auto function = static_cast<Function>(f);
    benchmark::RegisterBenchmark(
        ("vector_functions/" + std::string(name(function))).c_str(),
        [function](benchmark::State& bench) { time_function(bench, function); });
  }
  return kFunctionCount;
}();

}  // namespace
}  // namespace weir::model
