#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "weir/op/run_step.h"
#include "weir/testing/allocation_probe.h"
#include "weir/testing/probe.h"

namespace weir::testing {
namespace {
/// What a State's own fields and the bookkeeping of its containers may take beside its arrays.
constexpr std::size_t kBookkeeping = 2048;

struct Held {
  std::size_t most = 0;        ///< At any moment of start, run and finish.
  std::size_t after_half = 0;  ///< Kept after half of the frames …
  std::size_t after_all = 0;   ///< … and after all.
};

class Nowhere final : public op::SnippetReceiver {
 public:
  void snippet(const Event&, AnyBlock) override {}
};

Held measure(const Probe& probe, std::int64_t channels, std::int64_t about) {
  const op::Step& step = *probe.bound.step;
  const AnyBlock data = probe.segment(0).columns(0, channels);
  const std::int64_t grid = step.grid_frames();
  const std::int64_t block = (about + grid - 1) / grid * grid;
  const SampleType type = step.ports().front().stream.type;
  const Buffer room(type, probe.signal() ? step.max_output(block) : 0,
                    op::output_channels(step, channels));
  EventList events;
  events.reserve(
      static_cast<std::size_t>(data.frames() * channels));  // the framework's, not the State's
  const auto feed = feed_of(probe.bound, 0);
  Nowhere nowhere;
  EventList heard;
  heard.reserve(feed == nullptr ? 0 : probe.bound.events->segments[0].size());
  Held held;
  const AllocationProbe allocations;
  {
    const auto state = step.start({0, 0, 0, channels});
    const auto hear = [&](std::int64_t frames) {
      heard.clear();
      if (feed != nullptr) {
        feed->take(frames, heard);
        step.hear(*state, heard);
      }
    };
    for (std::int64_t at = 0; at < data.frames(); at += block) {
      events.clear();
      std::array<op::Emission, 1> out{{{room.block(), 0, &events, &nowhere}}};
      hear(at + std::min(block, data.frames() - at));
      step.run(*state, data.slice(at, std::min(block, data.frames() - at)), out);
      (at < data.frames() / 2 ? held.after_half : held.after_all) = allocations.live();
    }
    heard.clear();
    if (feed != nullptr) {
      feed->take_rest(heard);
      step.hear(*state, heard);
    }
    for (bool done = false; !done;) {
      events.clear();
      std::array<op::Emission, 1> out{{{room.block(), 0, &events, &nowhere}}};
      done = step.finish(*state, out);
    }
    held.most = allocations.peak();
  }
  return held;
}

void find_unclaimed_bytes(const Probe& probe, std::int64_t channels, Findings& findings) {
  const op::FlushToZero guard;
  const std::size_t claimed = probe.bound.step->state_bytes(channels);
  for (const std::int64_t block : {std::int64_t{64}, probe.options.frames}) {
    const Held held = measure(probe, channels, block);
    if (held.most > claimed + kBookkeeping) {
      findings.push_back(fmt::format(
          "{}: state_bytes: {} bytes were claimed for {} channels, {} were held in blocks of {}",
          probe.label, claimed, channels, held.most, block));
      return;
    }
    if (held.after_all > held.after_half + kBookkeeping / 2 && held.after_all > claimed) {
      findings.push_back(fmt::format(
          "{}: state_bytes: memory grows as the stream goes on: {} bytes, then {}, claimed {}",
          probe.label, held.after_half, held.after_all, claimed));
      return;
    }
  }
}

/// Everything from planning on, in fresh memory of one byte.
Outcome run_in(const Probe& probe, unsigned char fill) {
  const AllocationProbe memory(fill);
  BoundStep bound = bind(probe.op, probe.params, probe.stream, probe.bound.events);
  fit(bound, probe.data.block(), {});
  return run_bound(bound, probe.data.block(), {.frames = {331}});
}
}  // namespace

void find_broken_memory(const Probe& probe, Findings& findings) {
  const std::int64_t channels = probe.stream.channel_count();
  find_unclaimed_bytes(probe, channels, findings);
  if (channels > kLanePadding && probe.bound.step->parallel() == op::Parallel::channels) {
    find_unclaimed_bytes(probe, kLanePadding, findings);
  }
  for (const unsigned char fill : std::array<unsigned char, 3>{0x00, 0x7B, 0xFF}) {
    const std::string text = difference(run_in(probe, fill), probe.whole);
    if (!text.empty()) {
      findings.push_back(fmt::format(
          "{}: the answer depends on memory that was never written (filled with {:#04x}): {}",
          probe.label, fill, text));
      return;
    }
  }
}

}  // namespace weir::testing
