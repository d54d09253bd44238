#include <benchmark/benchmark.h>

#include <chrono>
#include <cmath>
#include <cstring>

#include "weir/op/run_step.h"
#include "weir/signal/ops/common_reference/common_reference.h"
#include "weir/signal/ops/iir/iir.h"
#include "weir/testing/samples.h"

namespace weir::signal {
namespace {
constexpr std::int64_t kChannels = 384;
constexpr std::int64_t kFrames = 60'000;

std::unique_ptr<op::Step> plan(const char* precision, const char* mode) {
  Value params = Value::object();
  params.set("band", "bandpass");
  params.set("cutoff_hz", Value::Array{Value(300.0), Value(6000.0)});
  params.set("precision", precision);
  params.set("mode", mode);
  op::StepContext context;
  context.in = testing::make_stream(30000, kChannels, kFrames);
  return iir_operator().plan(params, context);
}

Buffer signal_buffer(std::int64_t frames) {
  Buffer buffer(SampleType::float32, frames, kChannels);
  const auto rows = buffer.as<float>();
  for (std::int64_t frame = 0; frame < frames; ++frame) {
    for (std::int64_t channel = 0; channel < kChannels; ++channel) {
      rows(frame, channel) = static_cast<float>((frame * 37 + channel * 101) % 1009 - 504);
    }
  }
  return buffer;
}

/// Seconds of a plain copy of the same rows, the fastest of a few.
double copy_seconds(const Buffer& from, const Buffer& to) {
  double best = 1e9;
  for (int attempt = 0; attempt < 5; ++attempt) {
    const auto start = std::chrono::steady_clock::now();
    std::memcpy(to.block().data(), from.block().data(), from.bytes());
    benchmark::ClobberMemory();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    best = std::min(best, taken.count());
  }
  return best;
}

void report(benchmark::State& bench, double seconds_of_a_copy, std::int64_t samples) {
  const auto total = static_cast<double>(bench.iterations()) * static_cast<double>(samples);
  bench.SetItemsProcessed(static_cast<std::int64_t>(total));
  bench.SetBytesProcessed(static_cast<std::int64_t>(total) * 8);
  // Copy seconds per second of filtering: 1 is as fast as copying.
  bench.counters["copy_share"] = benchmark::Counter(
      seconds_of_a_copy * static_cast<double>(bench.iterations()), benchmark::Counter::kIsRate);
}

/// `kFrames` frames through the step in blocks of `block`; the same rows again and again when they
/// are meant to stay in the cache.
void run_forward(benchmark::State& bench, const char* precision, bool in_cache) {
  const op::FlushToZero guard;
  const auto step = plan(precision, "forward");
  const std::int64_t block = in_cache ? 128 : kFrames;
  const Buffer in = signal_buffer(block);
  const Buffer out(SampleType::float32, block, kChannels);
  const double copy = copy_seconds(in, out) * static_cast<double>(kFrames / block);
  const auto state = step->start({0, 0, 0, kChannels});
  for (auto _ : bench) {
    for (std::int64_t done = 0; done + block <= kFrames; done += block) {
      std::array<op::Emission, 1> emission{{{out.block(), 0, nullptr}}};
      step->run(*state, in.block(), emission);
    }
  }
  if (!std::isfinite(out.as<float>()(0, kChannels - 1))) {
    bench.SkipWithError("the output is not finite");
  }
  report(bench, copy, kFrames / block * block * kChannels);
}

void Iir_float32(benchmark::State& bench) {
  run_forward(bench, "float32", false);
}
void Iir_float32_in_cache(benchmark::State& bench) {
  run_forward(bench, "float32", true);
}
void Iir_float64(benchmark::State& bench) {
  run_forward(bench, "float64", false);
}
void Iir_float64_in_cache(benchmark::State& bench) {
  run_forward(bench, "float64", true);
}

/// A whole segment as the executor pushes it: tiles of 256 frames, then the end.
void run_zero_phase(benchmark::State& bench, const char* mode) {
  const auto step = plan("auto", mode);
  const Buffer in = signal_buffer(kFrames);
  const Buffer out(SampleType::float32, kFrames, kChannels);
  const double copy = copy_seconds(in, out);
  for (auto _ : bench) {
    op::StepRun run(*step, {0, 0, 0, kChannels}, 256);
    std::int64_t emitted = 0;
    const auto receive = [&](AnyBlock block, EventList&) {
      emitted += block.frames();
      benchmark::DoNotOptimize(block.data());
    };
    for (std::int64_t first = 0; first < kFrames; first += 256) {
      run.push(in.block().slice(first, std::min<std::int64_t>(256, kFrames - first)), receive);
    }
    run.finish(receive);
    if (emitted != kFrames) {
      bench.SkipWithError("frames are missing");
    }
  }
  report(bench, copy, kFrames * kChannels);
}

void Iir_zero_phase(benchmark::State& bench) {
  run_zero_phase(bench, "zero_phase");
}
void Iir_zero_phase_exact(benchmark::State& bench) {
  run_zero_phase(bench, "zero_phase_exact");
}

/// int16 to mean reference to band-pass, tile by tile into an array of the whole, one thread. The
/// counter `widen_ratio` says how many times longer than converting the same int16 to float32.
void run_chain(benchmark::State& bench, const char* precision) {
  const op::FlushToZero guard;
  Value mean = Value::object();
  mean.set("statistic", "mean");
  op::StepContext context;
  context.in = testing::make_stream(30000, kChannels, kFrames, SampleType::int16);
  const auto reference = common_reference_operator().plan(mean, context);
  const auto filter = plan(precision, "forward");
  constexpr std::int64_t kTile = 160;
  Buffer in(SampleType::int16, kFrames, kChannels);
  const Buffer out = signal_buffer(kFrames);
  const Buffer middle(SampleType::float32, kTile, kChannels);
  const auto from = in.as<std::int16_t>();
  const auto to = out.as<float>();
  for (std::int64_t t = 0; t < kFrames; ++t) {
    std::transform(to.row(t), to.row(t) + kChannels, from.row(t),
                   [](float v) { return static_cast<std::int16_t>(v); });
  }
  double widening = 1e9;
  for (int attempt = 0; attempt < 5; ++attempt) {
    const auto start = std::chrono::steady_clock::now();
    for (std::int64_t t = 0; t < kFrames; ++t) {
      std::copy_n(from.row(t), kChannels, to.row(t));
    }
    benchmark::ClobberMemory();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    widening = std::min(widening, taken.count());
  }
  const auto referenced = reference->start({0, 0, 0, kChannels});
  const auto filtered = filter->start({0, 0, 0, kChannels});
  for (auto _ : bench) {
    for (std::int64_t t = 0; t < kFrames; t += kTile) {
      const std::int64_t count = std::min(kTile, kFrames - t);
      std::array<op::Emission, 1> tile{{{middle.block(), 0, nullptr}}};
      reference->run(*referenced, in.block().slice(t, count), tile);
      std::array<op::Emission, 1> emission{{{out.block().slice(t, count), 0, nullptr}}};
      filter->run(*filtered, middle.first(count), emission);
    }
  }
  report(bench, widening, kFrames * kChannels);
  bench.counters["widen_ratio"] =
      benchmark::Counter(widening * static_cast<double>(bench.iterations()),
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void Iir_after_mean_float32(benchmark::State& bench) {
  run_chain(bench, "float32");
}
void Iir_after_mean_float64(benchmark::State& bench) {
  run_chain(bench, "float64");
}

BENCHMARK(Iir_after_mean_float32)->Unit(benchmark::kMillisecond);
BENCHMARK(Iir_after_mean_float64)->Unit(benchmark::kMillisecond);
BENCHMARK(Iir_float32_in_cache)->Unit(benchmark::kMillisecond);
BENCHMARK(Iir_float64_in_cache)->Unit(benchmark::kMillisecond);
BENCHMARK(Iir_float32)->Unit(benchmark::kMillisecond);
BENCHMARK(Iir_float64)->Unit(benchmark::kMillisecond);
BENCHMARK(Iir_zero_phase)->Unit(benchmark::kMillisecond);
BENCHMARK(Iir_zero_phase_exact)->Unit(benchmark::kMillisecond);
}  // namespace
}  // namespace weir::signal
