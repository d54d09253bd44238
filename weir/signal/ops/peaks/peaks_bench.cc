#include "weir/op/run_step.h"
#include "weir/signal/ops/peaks/peaks.h"
#include "weir/testing/bench_recording.h"
#include "weir/testing/samples.h"

namespace weir::signal {
namespace {
using testing::kBenchChannels;
using testing::kBenchFrames;

struct Rules {
  double height = 60;  ///< Noise of standard deviation 12: five of them.
  double distance_s = 0;
  double radius_um = 0;
};

void peaks(benchmark::State& bench, const Rules& rules) {
  StreamInfo stream = testing::make_stream(30'000, kBenchChannels, kBenchFrames);
  for (std::size_t c = 0; c < stream.channels.size(); ++c) {
    stream.channels[c].position = {c % 2 == 0 ? 0.0 : 32.0, 20.0 * static_cast<double>(c / 2), 0};
  }
  Value params = Value::object();
  params.set("peak_sign", "neg");
  params.set("height", rules.height);
  if (rules.distance_s > 0) {
    params.set("distance_s", rules.distance_s);
  }
  if (rules.radius_um > 0) {
    params.set("radius_um", rules.radius_um);
  }
  const auto step = peaks_operator().plan(params, {.in = stream, .temporary_folder = {}});
  const Buffer in = testing::bench_recording(SampleType::float32);
  const op::FlushToZero guard;
  EventList events;
  testing::time_beside_copy(bench, kBenchFrames * kBenchChannels, in.bytes(), [&] {
    events.clear();
    const auto state = step->start({0, 0, 0, kBenchChannels});
    op::Emission emission{{}, 0, &events};
    for (std::int64_t at = 0; at < kBenchFrames; at += 160) {
      step->run(*state, in.block().slice(at, std::min<std::int64_t>(160, kBenchFrames - at)),
                {&emission, 1});
    }
    step->finish(*state, {&emission, 1});
  });
  bench.counters["events"] = static_cast<double>(events.size());
}

#define PEAKS_BENCH(...) \
  BENCHMARK_CAPTURE(peaks, __VA_ARGS__)->UseManualTime()->Unit(benchmark::kMillisecond)
PEAKS_BENCH(high, {});
PEAKS_BENCH(apart, {.distance_s = 0.001});
PEAKS_BENCH(locally_exclusive, {.distance_s = 0.001, .radius_um = 50});
PEAKS_BENCH(locally_exclusive_at_three_sd, {.height = 36, .distance_s = 0.001, .radius_um = 50});
}  // namespace
}  // namespace weir::signal
