#include "weir/signal/ops/channel_map/channel_map.h"
#include "weir/testing/bench_recording.h"
#include "weir/testing/samples.h"

namespace weir::signal {
namespace {
/// Every channel elsewhere, or all but the last where they were.
void channel_map(benchmark::State& bench, SampleType type, std::int64_t factor) {
  Value pairs = Value::array();
  const std::int64_t channels = testing::kBenchChannels - (factor == 1 ? 1 : 0);
  for (std::int64_t k = 0; k < channels; ++k) {
    pairs.push_back(
        Value(Value::Object{{"from", factor * k % testing::kBenchChannels}, {"to", k}}));
  }
  const auto step = channel_map_operator().plan(
      Value(Value::Object{{"pairs", pairs}}),
      {.in = testing::make_stream(30'000, testing::kBenchChannels, testing::kBenchFrames, type),
       .temporary_folder = {}});
  testing::time_step(bench, *step, {.type = type});
}

#define MAP_BENCH(...) \
  BENCHMARK_CAPTURE(channel_map, __VA_ARGS__)->UseManualTime()->Unit(benchmark::kMillisecond)
MAP_BENCH(moved_float32, SampleType::float32, 11);
MAP_BENCH(moved_int16, SampleType::int16, 11);
MAP_BENCH(fewer_int16, SampleType::int16, 1);
}  // namespace
}  // namespace weir::signal
