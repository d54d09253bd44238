#include "weir/signal/ops/common_reference/common_reference.h"
#include "weir/testing/bench_recording.h"
#include "weir/testing/samples.h"

namespace weir::signal {
namespace {
using testing::kBenchChannels;
using testing::kBenchFrames;

StreamInfo probe(SampleType type) {
  StreamInfo stream = testing::make_stream(30'000, kBenchChannels, kBenchFrames, type);
  for (std::size_t c = 0; c < stream.channels.size(); ++c) {
    stream.channels[c].position = {c % 2 == 0 ? 0.0 : 32.0, 10.0 * static_cast<double>(c), 0};
    stream.channels[c].group = c < 192 ? "0" : "1";
  }
  return stream;
}

void common_reference(benchmark::State& bench, const char* statistic, const char* scope,
                      const testing::BlockWise& way) {
  Value spec = Value::object();
  spec.set("statistic", statistic);
  spec.set("scope", scope);
  const auto step =
      common_reference_operator().plan(spec, {.in = probe(way.type), .temporary_folder = {}});
  testing::time_step(bench, *step, way);
}

constexpr testing::BlockWise kCounts{.type = SampleType::int16};
constexpr testing::BlockWise kFloats{};
constexpr testing::BlockWise kCountsInCache{.type = SampleType::int16, .in_cache = true};
constexpr testing::BlockWise kWholeCounts{.type = SampleType::int16, .block = kBenchFrames};
constexpr testing::BlockWise kWholeFloats{.block = kBenchFrames};
// What the fused chain pays: the same work on a tile that stays in the second-level cache.
constexpr testing::BlockWise kFloatsInCache{.in_cache = true};

#define REFERENCE_BENCH(...) \
  BENCHMARK_CAPTURE(common_reference, __VA_ARGS__)->UseManualTime()->Unit(benchmark::kMillisecond)
REFERENCE_BENCH(median_int16, "median", "all", kCounts);
REFERENCE_BENCH(median_float32, "median", "all", kFloats);
REFERENCE_BENCH(median_int16_whole_array, "median", "all", kWholeCounts);
REFERENCE_BENCH(median_float32_whole_array, "median", "all", kWholeFloats);
REFERENCE_BENCH(median_int16_in_cache, "median", "all", kCountsInCache);
REFERENCE_BENCH(median_group_int16, "median", "group", kCounts);
REFERENCE_BENCH(median_local_int16, "median", "local", kCounts);
REFERENCE_BENCH(mean_int16, "mean", "all", kCounts);
REFERENCE_BENCH(mean_float32, "mean", "all", kFloats);
REFERENCE_BENCH(mean_local_float32, "mean", "local", kFloats);
REFERENCE_BENCH(mean_int16_in_cache, "mean", "all", kCountsInCache);
REFERENCE_BENCH(mean_float32_in_cache, "mean", "all", kFloatsInCache);
}  // namespace
}  // namespace weir::signal
