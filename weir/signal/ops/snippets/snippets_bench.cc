#include "weir/signal/ops/snippets/snippets.h"
#include "weir/testing/bench_recording.h"
#include "weir/testing/given_events.h"
#include "weir/testing/samples.h"

namespace weir::signal {
namespace {
using testing::kBenchChannels;
using testing::kBenchFrames;

class Nowhere final : public op::SnippetReceiver {
 public:
  void snippet(const Event&, AnyBlock rows) override { benchmark::DoNotOptimize(rows.data()); }
};

/// 10 events a ms of 384 channels, windows of 90 frames.
void snippets(benchmark::State& bench, const char* channels) {
  Value params = Value::object();
  params.set("channels", channels);
  const auto stream = testing::make_stream(30'000, kBenchChannels, kBenchFrames);
  EventList events;
  for (std::int64_t t = 100; t < kBenchFrames - 100; t += 3) {
    events.push_back({.onset = t, .offset = t + 5, .peak = t + 2, .final = t + 5});
  }
  const auto step = snippets_operator().plan(
      params, {.in = stream, .events = op::EventsInput{stream, 0, 0}, .temporary_folder = {}});
  const Buffer in = testing::bench_recording(SampleType::float32);
  const std::int64_t width = step->ports().front().stream.channel_count();
  const std::int64_t copied = std::ssize(events) * step->ports().front().snippet_frames * width;
  Nowhere nowhere;
  testing::time_beside_copy(
      bench, copied, static_cast<std::size_t>(copied) * 2 * sizeof(float), [&] {
        const auto state = step->start({0, 0, 0, kBenchChannels});
        testing::ListFeed feed(events, 0);
        for (std::int64_t at = 0; at < kBenchFrames; at += 160) {
          EventList heard;
          feed.take(at + 160, heard);
          step->hear(*state, heard);
          op::Emission emission{{}, 0, nullptr, &nowhere};
          step->run(*state, in.block().slice(at, 160), std::span(&emission, 1));
        }
      });
}
BENCHMARK_CAPTURE(snippets, all, "all")->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(snippets, own, "own")->UseManualTime()->Unit(benchmark::kMillisecond);
}  // namespace
}  // namespace weir::signal
