#include <benchmark/benchmark.h>

#include "weir/core/buffer.h"
#include "weir/core/value.h"
#include "weir/signal/generate/generate.h"

namespace weir::signal {
namespace {

/// 384 channels at 30 kHz on one core; the counter says how many times faster than real time.
void BM_GenerateNeuropixels(benchmark::State& state) {
  const auto recording = generator("neuropixels").make(Value::object());
  const Buffer block(SampleType::int16, 30000, 384);
  std::int64_t first = 0;
  for (auto unused : state) {
    recording->fill(first, block.as<std::int16_t>());
    first = (first + 30000) % 1'500'000;
    benchmark::DoNotOptimize(block.block().data());
  }
  state.counters["times_real_time"] =
      benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}
BENCHMARK(BM_GenerateNeuropixels)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace weir::signal
