#include <algorithm>
#include <array>

#include "weir/op/run_step.h"
#include "weir/signal/ops/common_reference/common_reference.h"
#include "weir/signal/ops/iir/iir.h"
#include "weir/testing/bench_recording.h"
#include "weir/testing/samples.h"

namespace weir::signal {
namespace {
constexpr std::int64_t kChannels = testing::kBenchChannels;
constexpr std::int64_t kFrames = testing::kBenchFrames;
constexpr std::size_t kFloatBytes = std::size_t{8} * kChannels * kFrames;  // Read and written.

std::unique_ptr<op::Step> plan(const char* precision, const char* mode) {
  Value params = Value::object();
  params.set("band", "bandpass");
  params.set("cutoff_hz", Value::Array{Value(300.0), Value(6000.0)});
  params.set("precision", precision);
  params.set("mode", mode);
  op::StepContext context;
  context.in = testing::make_stream(30'000, kChannels, kFrames);
  return iir_operator().plan(params, context);
}

void iir_forward(benchmark::State& bench, const char* precision, const testing::BlockWise& way) {
  testing::time_step(bench, *plan(precision, "forward"), way);
}

/// A whole segment as the executor pushes it: tiles of 256 frames, then the end.
void iir_zero_phase(benchmark::State& bench, const char* mode) {
  const auto step = plan("auto", mode);
  const Buffer in = testing::bench_recording(SampleType::float32);
  std::int64_t emitted = 0;
  testing::time_beside_copy(bench, kFrames * kChannels, kFloatBytes, [&] {
    op::StepRun run(*step, {0, 0, 0, kChannels}, 256);
    emitted = 0;
    const auto receive = [&](AnyBlock block, EventList&) {
      emitted += block.frames();
      benchmark::DoNotOptimize(block.data());
    };
    for (std::int64_t first = 0; first < kFrames; first += 256) {
      run.push(in.block().slice(first, std::min<std::int64_t>(256, kFrames - first)), receive);
    }
    run.finish(receive);
  });
  if (emitted != kFrames) {
    bench.SkipWithError("frames are missing");
  }
}

/// int16 to mean reference to band-pass, tile by tile into an array of the whole, one thread.
void iir_after_mean(benchmark::State& bench, const char* precision) {
  const op::FlushToZero guard;
  Value mean = Value::object();
  mean.set("statistic", "mean");
  op::StepContext context;
  context.in = testing::make_stream(30'000, kChannels, kFrames, SampleType::int16);
  const auto reference = common_reference_operator().plan(mean, context);
  const auto filter = plan(precision, "forward");
  constexpr std::int64_t kTile = 160;
  const Buffer in = testing::bench_recording(SampleType::int16);
  const Buffer out(SampleType::float32, kFrames, kChannels);
  const Buffer middle(SampleType::float32, kTile, kChannels);
  const auto referenced = reference->start({0, 0, 0, kChannels});
  const auto filtered = filter->start({0, 0, 0, kChannels});
  testing::time_beside_copy(bench, kFrames * kChannels, kFloatBytes * 3 / 4, [&] {
    for (std::int64_t t = 0; t < kFrames; t += kTile) {
      const std::int64_t count = std::min(kTile, kFrames - t);
      std::array<op::Emission, 1> tile{{{middle.block(), 0, nullptr}}};
      reference->run(*referenced, in.block().slice(t, count), tile);
      std::array<op::Emission, 1> emission{{{out.block().slice(t, count), 0, nullptr}}};
      filter->run(*filtered, middle.first(count), emission);
    }
  });
}

constexpr testing::BlockWise kWhole{.block = kFrames};
constexpr testing::BlockWise kInCache{.block = 128, .in_cache = true};

#define IIR_BENCH(...) \
  BENCHMARK_CAPTURE(__VA_ARGS__)->UseManualTime()->Unit(benchmark::kMillisecond)
IIR_BENCH(iir_after_mean, float32, "float32");
IIR_BENCH(iir_after_mean, float64, "float64");
IIR_BENCH(iir_forward, float32_in_cache, "float32", kInCache);
IIR_BENCH(iir_forward, float64_in_cache, "float64", kInCache);
IIR_BENCH(iir_forward, float32, "float32", kWhole);
IIR_BENCH(iir_forward, float64, "float64", kWhole);
IIR_BENCH(iir_zero_phase, spooled_blocks, "zero_phase");
IIR_BENCH(iir_zero_phase, exact, "zero_phase_exact");
}  // namespace
}  // namespace weir::signal
