#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "weir/op/device_step.h"
#include "weir/op/run_step.h"
#include "weir/testing/counting_device.h"
#include "weir/testing/device_conformance.h"

namespace weir::testing {
namespace {

/// Elements before the first frame of every device block, and after its last.
constexpr std::int64_t kGuard = 5;
constexpr std::int64_t kAlignedGuard = 32;
constexpr std::byte kCanary{0xA5};

op::DeviceBlock device_rows(compute::Device& device, SampleType type, std::int64_t frames,
                            std::int64_t channels, bool aligned) {
  op::DeviceBlock rows;
  rows.type = type;
  rows.first = aligned ? kAlignedGuard : kGuard;
  rows.frames = frames;
  rows.channels = channels;
  rows.stride =
      aligned ? (channels + kLanePadding - 1) / kLanePadding * kLanePadding : channels + 3;
  rows.buffer = device.allocate(static_cast<std::size_t>(frames * rows.stride + 2 * rows.first) *
                                size_of(type));
  return rows;
}

std::size_t byte_of(const op::DeviceBlock& rows, std::int64_t frame) {
  return static_cast<std::size_t>(rows.first + frame * rows.stride) * size_of(rows.type);
}

/// One State on a device, and one on the CPU while the two take turns.
class DeviceRun final : private op::SnippetReceiver {
 public:
  DeviceRun(const BoundStep& bound, const op::StartPoint& at, std::int64_t max_frames,
            compute::Device& device, compute::Device& counted, bool aligned)
      : step_(*bound.step),
        at_(at),
        device_(device),
        queue_(counted.make_queue()),
        place_{counted, *queue_, max_frames},
        aligned_(aligned),
        feed_(feed_of(bound, at.segment)),
        given_(at.first_frame) {
    start();
  }

  void run(AnyBlock in, const op::Receiver& receive) {
    const op::DeviceBlock from = upload(in);
    op::DeviceEmission out = room_for(in.frames());
    receive_ = &receive;
    on_device_->hear(heard(in.frames()));
    on_device_->run(from, {&out, 1});
    take(out, receive);
  }
  /// What a step that hears has counted, once it has heard all there is.
  std::vector<op::Counter> hear_rest() {
    if (!step_.hears()) {
      return {};
    }
    EventList events;
    if (feed_ != nullptr) {
      feed_->take_rest(events);
    }
    on_device_->hear(events);
    return handed_over()->counters();
  }
  bool finish(std::int64_t frames, const op::Receiver& receive) {
    op::DeviceEmission out = room_for(frames);
    receive_ = &receive;
    const bool done = on_device_->finish({&out, 1});
    take(out, receive);
    return done;
  }
  /// The State through its bytes, into a new device step.
  void reload() {
    const auto state = handed_over();
    op::ByteWriter bytes;
    step_.save(*state, bytes);
    const auto again = step_.start(at_);
    op::ByteReader reader(bytes.bytes());
    step_.load(*again, reader);
    start();
    on_device_->take_over(*again);
  }
  void run_on_cpu(AnyBlock in, const op::Receiver& receive) {
    const op::FlushToZero guard;
    const auto state = handed_over();
    EventList events;
    const op::Port& port = step_.ports().front();
    const Buffer room(port.stream.type, step_.max_output(in.frames()),
                      op::output_channels(step_, at_.channel_count));
    op::Emission out{room.block(), 0, &events, this};
    receive_ = &receive;
    if (step_.hears()) {
      step_.hear(*state, heard(in.frames()));
    }
    step_.run(*state, in, {&out, 1});
    receive(room.block().slice(0, out.frames), events);
    start();
    on_device_->take_over(*state);
  }

 private:
  void snippet(const Event& event, AnyBlock rows) override {
    EventList events{event};
    (*receive_)(rows, events);
  }
  /// What becomes certain with so many frames more.
  EventList heard(std::int64_t frames) {
    EventList events;
    given_ += frames;
    if (feed_ != nullptr) {
      feed_->take(given_, events);
    }
    return events;
  }
  void start() {
    on_device_ = step_.device(place_, at_);
    if (on_device_ == nullptr) {
      throw Error(ErrorCode::unsupported, "the step stays on the CPU");
    }
  }
  std::unique_ptr<op::State> handed_over() const {
    auto state = step_.start(at_);
    on_device_->hand_over(*state);
    on_device_->hand_over(*state);  // twice is as once
    return state;
  }

  op::DeviceBlock upload(AnyBlock from) {
    const auto rows = device_rows(device_, from.type(), from.frames(), from.channels(), aligned_);
    const auto row_bytes = static_cast<std::size_t>(from.channels()) * size_of(from.type());
    std::vector<std::byte> bytes(rows.buffer.bytes(), std::byte{0xff});
    for (std::int64_t frame = 0; frame < from.frames(); ++frame) {
      std::memcpy(bytes.data() + byte_of(rows, frame), from.slice(frame, 1).data(), row_bytes);
    }
    queue_->upload(rows.buffer, bytes);
    return rows;
  }

  op::DeviceEmission room_for(std::int64_t frames) {
    const op::Port& port = step_.ports().front();
    op::DeviceEmission out;
    out.snippets = this;
    if (port.kind == op::PortKind::snippets) {
      return out;
    }
    if (port.kind == op::PortKind::events) {
      out.events.capacity = step_.max_events(at_.channel_count, frames);
      const std::size_t bytes = op::DeviceEvents::bytes_for(out.events.capacity);
      out.events.rows = device_.allocate(bytes + kGuard * sizeof(std::int64_t));
      queue_->upload(out.events.rows, std::vector<std::byte>(out.events.rows.bytes(), kCanary));
    } else {
      out.room = device_rows(device_, port.stream.type, step_.max_output(frames),
                             op::output_channels(step_, at_.channel_count), aligned_);
      queue_->upload(out.room.buffer, std::vector<std::byte>(out.room.buffer.bytes(), kCanary));
    }
    return out;
  }

  static void require_canary(std::span<const std::byte> bytes) {
    if (!std::all_of(bytes.begin(), bytes.end(), [](std::byte b) { return b == kCanary; })) {
      throw Error(ErrorCode::internal, "the device kernels wrote outside of the room they had");
    }
  }

  void take(const op::DeviceEmission& out, const op::Receiver& receive) {
    EventList events;
    if (step_.ports().front().kind == op::PortKind::snippets) {
      return;  // They came while it ran.
    }
    if (out.events.rows) {
      op::take_events(*queue_, out.events, at_, events);
      const auto bytes = queue_->download<std::byte>(out.events.rows);
      require_canary(std::span(bytes).subspan(op::DeviceEvents::bytes_for(out.events.capacity)));
      receive(AnyBlock(), events);
      return;
    }
    const op::DeviceBlock& rows = out.room;
    if (out.frames < 0 || out.frames > rows.frames) {
      throw Error(ErrorCode::internal,
                  fmt::format("the device step emitted {} frames, {} were promised at most",
                              out.frames, rows.frames));
    }
    const auto bytes = queue_->download<std::byte>(rows.buffer);
    require_canary(std::span(bytes).first(byte_of(rows, 0)));
    require_canary(std::span(bytes).subspan(byte_of(rows, out.frames)));
    const Buffer to(rows.type, out.frames, rows.channels);
    for (std::int64_t frame = 0; frame < out.frames; ++frame) {
      std::memcpy(to.block().slice(frame, 1).data(), bytes.data() + byte_of(rows, frame),
                  static_cast<std::size_t>(rows.channels) * size_of(rows.type));
    }
    receive(to.block(), events);
  }

  const op::Step& step_;
  op::StartPoint at_;
  compute::Device& device_;
  std::unique_ptr<compute::Queue> queue_;
  op::DevicePlace place_;
  bool aligned_;
  std::unique_ptr<ListFeed> feed_;
  std::int64_t given_;
  const op::Receiver* receive_ = nullptr;
  std::unique_ptr<op::DeviceStep> on_device_;
};

/// `cuts` at multiples of the step's grid.
Cuts on_grid(const Cuts& cuts, std::int64_t grid, std::int64_t frames) {
  Cuts whole = cuts;
  for (auto& length : whole.frames) {
    length = std::min((length + grid - 1) / grid * grid, std::max<std::int64_t>(grid, frames));
  }
  return whole;
}

/// What a run has made so far, and cost.
struct Results {
  Outcome outcome;
  DeviceCosts costs;
};

/// One segment, one group. Returns the first output row after it.
std::int64_t run_group(const BoundStep& bound, const op::StartPoint& at, AnyBlock data,
                       compute::Device& device, const Cuts& asked, std::int64_t next,
                       Results& results) {
  auto& [outcome, costs] = results;
  const Cuts cuts = on_grid(asked, bound.step->grid_frames(), data.frames());
  const std::int64_t longest = cuts.frames.empty()
                                   ? data.frames()
                                   : *std::max_element(cuts.frames.begin(), cuts.frames.end());
  DeviceCounts counts;
  const auto counted = counting_device(device, counts);
  DeviceRun run(bound, at, longest, device, *counted, cuts.aligned);
  const std::int64_t first_column = at.first_channel * bound.step->ports().front().spread;
  const auto receive = [&](AnyBlock block, EventList& events) {
    append_rows(block, next, first_column, outcome.samples);
    next += block.frames();
    outcome.events.insert(outcome.events.end(), events.begin(), events.end());
  };
  const auto called = [&] {
    costs.launches = std::max(costs.launches, counts.commands.load());
    counts.commands = 0;
  };
  counts.commands = 0;
  std::int64_t turn = 0;
  for_each_cut(cuts, data.frames(), [&](std::int64_t first, std::int64_t count) {
    const AnyBlock block = data.slice(first, count);
    if (cuts.in_turns && ++turn % 2 == 0) {
      run.run_on_cpu(block, receive);
    } else {
      run.run(block, receive);
      called();
    }
    if (cuts.reload_state) {
      run.reload();
    }
    counts.commands = 0;
  });
  add_counters(run.hear_rest(), outcome);
  for (bool done = false; !done; called()) {
    done = run.finish(std::max<std::int64_t>(1, longest), receive);
  }
  const bool alone = !cuts.in_turns && !cuts.reload_state;  // else two steps live for a moment
  if (alone && costs.held_bytes <= costs.claimed_bytes) {   // the first that breaks its claim stays
    costs.held_bytes = counts.most_bytes;
    costs.claimed_bytes = bound.step->device_bytes(at.channel_count, longest);
  }
  return next;
}

}  // namespace

Outcome run_on_device(const BoundStep& bound, AnyBlock data, compute::Device& device,
                      const Cuts& cuts, DeviceCosts* costs) {
  Results results{{}, costs == nullptr ? DeviceCosts{} : *costs};
  for_each_group(bound, data, cuts, results.outcome,
                 [&](const op::StartPoint& at, AnyBlock rows, std::int64_t first_out) {
                   return run_group(bound, at, rows, device, cuts, first_out, results);
                 });
  if (costs != nullptr) {
    *costs = results.costs;
  }
  return std::move(results.outcome);
}

}  // namespace weir::testing
