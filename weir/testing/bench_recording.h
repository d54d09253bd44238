#pragma once

#include <benchmark/benchmark.h>

#include <cstdint>
#include <functional>

#include "weir/core/buffer.h"
#include "weir/op/step.h"

namespace weir::testing {

/// What the benches of operators run on: 384 channels, 2 s at 30 kHz.
constexpr std::int64_t kBenchChannels = 384;
constexpr std::int64_t kBenchFrames = 60'000;

/// Seeded Gaussian noise of standard deviation `sd`; int16 holds it rounded. Some thousand frames
/// repeat, so that a bench begins at once.
Buffer bench_recording(SampleType type, std::int64_t frames = kBenchFrames, double sd = 12);

/// Seconds of the fastest of a few plain copies of so many bytes.
double seconds_of_copy(std::size_t bytes);

/// Times `work` in every turn of the bench, which must use manual time, and reports samples/s,
/// bytes/s and `of copy`: 1 is as fast as a plain copy that reads and writes as many bytes.
void time_beside_copy(benchmark::State& bench, std::int64_t samples, std::size_t bytes_moved,
                      const std::function<void()>& work);

/// kBenchFrames frames through a step, from its start to the end of the segment, in blocks of
/// `block` frames whose output stands in one room, as in the executor. The input is a whole
/// recording, or one block again and again.
struct BlockWise {
  SampleType type = SampleType::float32;
  std::int64_t block = 160;
  bool in_cache = false;
};
void time_step(benchmark::State& bench, const op::Step& step, const BlockWise& way);

}  // namespace weir::testing
