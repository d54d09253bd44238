#include "weir/compute/flush_to_zero.h"
#include "weir/signal/ops/teager_kaiser/teager_kaiser.h"
#include "weir/testing/bench_recording.h"
#include "weir/testing/samples.h"

namespace weir::signal {
namespace {
void teager_kaiser(benchmark::State& bench) {
  const compute::FlushToZero guard;
  const auto step = teager_kaiser_operator().plan(
      Value::object(),
      {.in = testing::make_stream(30'000, testing::kBenchChannels, testing::kBenchFrames),
       .temporary_folder = {}});
  constexpr std::int64_t kBlock = 160;
  const Buffer in = testing::bench_recording(SampleType::float32);
  const Buffer room(SampleType::float32, step->max_output(kBlock), testing::kBenchChannels);
  constexpr std::int64_t kSamples = testing::kBenchFrames * testing::kBenchChannels;
  testing::time_beside_copy(bench, kSamples, 2 * kSamples * sizeof(float), [&] {
    const auto state = step->start({0, 0, 0, testing::kBenchChannels});
    for (std::int64_t at = 0; at < testing::kBenchFrames; at += kBlock) {
      op::Emission emission{room.block()};
      step->run(*state, in.block().slice(at, kBlock), std::span(&emission, 1));
    }
  });
}
BENCHMARK(teager_kaiser)->UseManualTime()->Unit(benchmark::kMillisecond);
}  // namespace
}  // namespace weir::signal
