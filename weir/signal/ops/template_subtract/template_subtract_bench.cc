#include <fmt/format.h>

#include "weir/signal/ops/template_subtract/template_subtract.h"
#include "weir/testing/bench_recording.h"
#include "weir/testing/format_conformance.h"
#include "weir/testing/given_events.h"
#include "weir/testing/samples.h"

namespace weir::signal {
namespace {
using testing::kBenchChannels;
using testing::kBenchFrames;

std::string template_bytes(std::int64_t samples) {
  std::string header = fmt::format(
      "{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, {}), }}", samples, kBenchChannels);
  header.resize(118, ' ');
  std::string text("\x93NUMPY\x01\x00\x76\x00", 10);
  text += header;
  std::vector<float> values(static_cast<std::size_t>(samples * kBenchChannels), 0.5F);
  text.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
  return text;
}

/// A template of 90 frames taken out every 10 ms.
void template_subtract(benchmark::State& bench, const char* amplitude) {
  const testing::ScratchFolder folder;
  const auto path = folder.path() / "template.npy";
  testing::write_string(path, template_bytes(90));
  Value params = Value::object();
  params.set("templates", path.string());
  params.set("amplitude", amplitude);
  params.set("longest_event_s", 0.001);
  const auto stream = testing::make_stream(30'000, kBenchChannels, kBenchFrames);
  EventList events;
  for (std::int64_t t = 300; t < kBenchFrames; t += 300) {
    events.push_back({.onset = t, .offset = t + 5, .peak = t + 2, .final = t + 5});
  }
  const auto step = template_subtract_operator().plan(
      params, {.in = stream, .events = op::EventsInput{stream, 0, 0}, .temporary_folder = {}});
  const Buffer in = testing::bench_recording(SampleType::float32);
  const Buffer room(SampleType::float32, 160, kBenchChannels);
  constexpr std::int64_t kSamples = kBenchFrames * kBenchChannels;
  testing::time_beside_copy(bench, kSamples, kSamples * 2 * sizeof(float), [&] {
    const auto state = step->start({0, 0, 0, kBenchChannels});
    testing::ListFeed feed(events, 0);
    for (std::int64_t at = 0; at < kBenchFrames; at += 160) {
      EventList heard;
      feed.take(at + 160, heard);
      step->hear(*state, heard);
      op::Emission emission{room.block()};
      step->run(*state, in.block().slice(at, 160), std::span(&emission, 1));
    }
  });
}
BENCHMARK_CAPTURE(template_subtract, fixed, "fixed")
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(template_subtract, least_squares, "least_squares")
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
}  // namespace
}  // namespace weir::signal
