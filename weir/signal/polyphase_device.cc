#include <algorithm>
#include <array>
#include <iterator>

#include "weir/signal/kept_rows.h"
#include "weir/signal/polyphase_cl.h"
#include "weir/signal/polyphase_step.h"

namespace weir::signal {
namespace {
std::vector<std::int32_t> phase_table(const PolyphasePlan& plan) {
  std::vector<std::int32_t> table;
  for (const auto* phases : {&plan.phases, &plan.head, &plan.tail}) {
    for (const auto& phase : *phases) {
      for (const std::int64_t value : {phase.first, phase.count, phase.tap}) {
        table.push_back(static_cast<std::int32_t>(value));
      }
    }
  }
  return table;
}

/// How items of the kernels make their outputs: `outputs` of one phase each. Short filters of whole
/// ratios have their taps as arguments. Of others, where `held_down` is `down`, the rows that
/// neighbours share are held in registers. More outputs would leave too few items on a device and
/// take too long to compile, fewer would load each row more often. As measured on an H200.
struct Way {
  static constexpr std::int64_t kMostShort = std::size(compute::Floats128{}.at);
  /// Rows times outputs: more take over a second to compile, and NVRTC unrolls at most 2064.
  static constexpr std::int64_t kMostUnrolled = 1300;

  bool is_short = false;
  std::int64_t outputs = 4;
  std::int64_t held_down = 0;
  std::int64_t group_rows = 4;  ///< Items side by side share their rows in the first cache.

  explicit Way(const PolyphasePlan& plan) noexcept
      : is_short(plan.up == 1 && plan.length <= kMostShort && plan.tap_stride == 1) {
    static constexpr std::array<std::int64_t, 7> kHeld{0, 16, 8, 8, 6, 5, 4};
    if (is_short) {
      outputs = plan.down == 1 ? 16 : 12;
      while (outputs > 1 && (plan.length + (outputs - 1) * plan.down) * outputs > kMostUnrolled) {
        --outputs;
      }
      group_rows = plan.down == 1 ? 4 : 8;
    } else if (plan.down < static_cast<std::int64_t>(kHeld.size())) {
      outputs = kHeld[static_cast<std::size_t>(plan.down)];
      held_down = plan.down;
    }
  }
};

/// Those of the channels of the group, side by side, where each has its own.
std::vector<float> device_taps(const PolyphasePlan& plan, const op::StartPoint& at) {
  if (plan.tap_stride == 1) {
    return plan.taps;
  }
  std::vector<float> taps;
  for (auto row = plan.taps.begin(); row != plan.taps.end(); row += plan.tap_stride) {
    taps.insert(taps.end(), row + at.first_channel, row + at.first_channel + at.channel_count);
  }
  return taps;
}

compute::Floats128 short_taps(const PolyphasePlan& plan) {
  compute::Floats128 taps;
  std::copy_n(plan.taps.begin(), std::min<std::size_t>(plan.taps.size(), std::size(taps.at)),
              taps.at);
  return taps;
}

/// The first of the outputs from `first` to `end` that `is_past` holds of; then of all after it.
template <class IsPast>
std::int64_t first_past(std::int64_t first, std::int64_t end, IsPast is_past) {
  while (first < end) {
    const std::int64_t middle = first + (end - first) / 2;
    if (is_past(middle)) {
      end = middle;
    } else {
      first = middle + 1;
    }
  }
  return first;
}

/// The past in a ring that the extensions of both ends are written into; a block is read where it
/// lies. What comes out when is what PolyphaseState says, and so is the order of the sums.
class PolyphaseOnDevice final : public op::DeviceStep {
 public:
  PolyphaseOnDevice(const PolyphasePlan& plan, Edge edge, const op::DevicePlace& place,
                    const op::StartPoint& at)
      : plan_(plan),
        edge_(edge),
        queue_(place.queue),
        way_(plan),
        short_taps_(short_taps(plan)),
        sum_(kernel(place, way_.is_short ? "polyphase_sum_short" : "polyphase_sum")),
        start_(kernel(place, "polyphase_start")),
        finish_(kernel(place, "polyphase_end")),
        ends_(kernel(place, "polyphase_ends")),
        magnitude_(kernel(place, "polyphase_magnitude")),
        channels_(at.channel_count),
        width_(plan.kept_rows()),
        fed_(at.first_frame),
        next_output_(first_output(plan, at)),
        waiting_(start_waits(plan, edge, at)),
        head_(at.first_frame == 0 ? static_cast<std::int64_t>(plan.head.size()) : 0),
        taps_(place.device.allocate(place.queue, device_taps(plan, at))),
        phases_(place.device.allocate(place.queue, phase_table(plan))),
        past_(place, width_, channels_) {}

  void run(const op::DeviceBlock& in, std::span<op::DeviceEmission> out) override {
    const std::int64_t end = fed_ + in.frames;
    if (waiting_ && end >= frames_to_start(plan_, edge_)) {
      queue_.launch(
          start_, range(plan_.before),
          {in.buffer, in.first, in.stride, past_.buffer(), narrow(channels_), narrow(width_), fed_,
           in.frames, static_cast<std::int32_t>(edge_), narrow(plan_.before)});
      waiting_ = false;
    }
    const std::int64_t most = waiting_ ? next_output_ : outputs_of(plan_, end);
    const std::int64_t last = first_past(
        next_output_, most, [&](std::int64_t output) { return support_end(plan_, output) > end; });
    // On the CPU's grid, so that it may go on from anywhere.
    out[0].frames = emit(in, fed_, std::max(next_output_, last - last % plan_.grid()), out[0].room);
    past_.keep(in, fed_);
    fed_ = end;
  }

  bool finish(std::span<op::DeviceEmission> out) override {
    const std::int64_t total = outputs_of(plan_, fed_);
    // A start that still waits may mirror rows past the end.
    const std::int64_t after =
        waiting_ ? std::max(plan_.after, plan_.before - fed_ + 1) : plan_.after;
    if (!extended_ && next_output_ < total) {
      queue_.launch(
          finish_, {.items = {channels_, 1}},
          {past_.buffer(), narrow(channels_), narrow(width_), fed_,
           static_cast<std::int32_t>(edge_), narrow(waiting_ ? plan_.before : 0), narrow(after)});
      waiting_ = false;
      extended_ = true;
    }
    const op::DeviceBlock& room = out[0].room;
    // The rows past the end are in the ring as well.
    out[0].frames = emit(past_.instead_of_block(), fed_ + plan_.after,
                         std::min(total, next_output_ + room.frames), room);
    return next_output_ >= total;
  }

  void hand_over(op::State& to) const override {
    PolyphaseMoment now{-rows_before(plan_), fed_, next_output_, waiting_};
    if (!waiting_) {
      now.first = std::min(oldest_needed(plan_, next_output_), fed_);
    }
    const auto past = queue_.download<float>(past_.buffer());
    for (std::int64_t row = now.first; row < now.end; ++row) {
      const float* from = past.data() + slot(row) * channels_;
      now.rows.insert(now.rows.end(), from, from + channels_);
    }
    static_cast<PolyphaseState&>(to).resume(now);
  }
  void take_over(const op::State& from) override {
    const PolyphaseMoment now = static_cast<const PolyphaseState&>(from).moment();
    fed_ = now.end;
    next_output_ = now.next_output;
    waiting_ = now.waiting;
    std::vector<float> past(static_cast<std::size_t>(width_ * channels_));
    for (std::int64_t row = now.first; row < now.end; ++row) {
      std::copy_n(now.rows.data() + (row - now.first) * channels_, channels_,
                  past.data() + slot(row) * channels_);
    }
    queue_.upload(past_.buffer(), past);
  }

 private:
  static std::int32_t narrow(std::int64_t value) noexcept {
    return static_cast<std::int32_t>(value);
  }
  compute::Kernel kernel(const op::DevicePlace& place, const char* entry) const {
    return place.device.kernel(kernels::kPolyphase, entry,
                               {{"TOGETHER", way_.is_short ? 1 : way_.outputs},
                                {"SHORT_TOGETHER", way_.is_short ? way_.outputs : 1},
                                {"HELD_DOWN", way_.held_down},
                                {"LANE_TAPS", plan_.tap_stride > 1 ? 1 : 0},
                                {"DOWN", way_.is_short ? plan_.down : 1},
                                {"LENGTH", way_.is_short ? plan_.length : 1},
                                {"RUN", kPolyphaseRun}});
  }
  compute::Range range(std::int64_t frames) const { return {.items = {channels_, frames}}; }
  std::int64_t slot(std::int64_t row) const noexcept { return (row + width_) % width_; }

  /// The outputs up to `last` from the ring's rows before `fed` and those of `in` from there on.
  std::int64_t emit(const op::DeviceBlock& in, std::int64_t fed, std::int64_t last,
                    const op::DeviceBlock& out) {
    const std::int64_t outputs = last - next_output_;
    if (outputs > 0) {
      const std::int64_t head =
          first_past(next_output_, last,
                     [&](std::int64_t output) { return support_first(plan_, output) >= fed; }) -
          next_output_;
      launch_sum(in, fed, {next_output_, outputs, head}, out);
      launch_ends(in, fed, last, out);
      if (plan_.magnitude) {
        queue_.launch(
            magnitude_, compute::over_rows(channels_, outputs),
            {in.buffer, in.first, in.stride, out.buffer, out.first, out.stride, past_.buffer(),
             narrow(channels_), narrow(width_), fed, next_output_, outputs});
      }
      next_output_ = last;
    }
    return outputs;
  }

  /// Those of the outputs up to `last` that have sums of their own.
  void launch_ends(const op::DeviceBlock& in, std::int64_t fed, std::int64_t last,
                   const op::DeviceBlock& out) {
    const auto launch = [&](std::int64_t first, std::int64_t end, std::int64_t base,
                            std::int64_t step) {
      if (first < end) {
        queue_.launch(ends_, range(end - first),
                      {in.buffer, in.first, in.stride, out.buffer,
                       out.first + (first - next_output_) * out.stride, out.stride, past_.buffer(),
                       narrow(channels_), narrow(width_), fed, taps_, phases_, base, step,
                       narrow(kPolyphaseRun), first, end - first});
      }
    };
    const auto phases = static_cast<std::int64_t>(plan_.phases.size());
    launch(next_output_, std::min(last, head_), phases, 1);
    if (extended_ && !plan_.tail.empty()) {
      const auto tail = static_cast<std::int64_t>(plan_.tail.size());
      const auto tails = phases + static_cast<std::int64_t>(plan_.head.size());
      launch(std::max(next_output_, fed_ - tail), last, tails + fed_ - 1, -1);
    }
  }

  /// Outputs `first` to `first` + `count`, of which `head` have rows in the ring.
  struct Outputs {
    std::int64_t first;
    std::int64_t count;
    std::int64_t head;
  };
  void launch_sum(const op::DeviceBlock& in, std::int64_t fed, const Outputs& which,
                  const op::DeviceBlock& out) {
    const std::int64_t chunk = way_.outputs * plan_.up;
    const std::int64_t chunks = (which.count - which.head) / chunk;
    const std::int64_t alone = which.count - chunks * chunk;
    std::vector<compute::Arg> args{in.buffer,      in.first,   in.stride,      out.buffer,
                                   out.first,      out.stride, past_.buffer(), narrow(channels_),
                                   narrow(width_), fed,        taps_};
    if (way_.is_short) {
      args.insert(args.end(), {which.first, which.count, which.head, chunks, narrow(way_.outputs),
                               narrow(plan_.down), narrow(plan_.length), narrow(kPolyphaseRun),
                               narrow(plan_.phases[0].first), short_taps_});
    } else {
      args.insert(args.end(), {phases_, plan_.up, plan_.down, narrow(kPolyphaseRun), which.first,
                               which.count, which.head, chunks, narrow(way_.outputs),
                               narrow(way_.held_down), narrow(plan_.tap_stride > 1 ? 1 : 0)});
    }
    queue_.launch(
        sum_,
        {.items = {channels_, std::max(alone, chunks * plan_.up)}, .group = {32, way_.group_rows}},
        args);
  }

  const PolyphasePlan& plan_;
  Edge edge_;
  compute::Queue& queue_;
  Way way_;
  compute::Floats128 short_taps_;
  compute::Kernel sum_;
  compute::Kernel start_;
  compute::Kernel finish_;
  compute::Kernel ends_;
  compute::Kernel magnitude_;
  std::int64_t channels_;
  std::int64_t width_;
  std::int64_t fed_;          ///< Frames of the segment so far.
  std::int64_t next_output_;  ///< Next output index.
  bool waiting_;              ///< The start's extension is not made yet.
  std::int64_t head_;         ///< Outputs of the segment's start with sums of their own.
  bool extended_ = false;
  compute::Buffer taps_;
  compute::Buffer phases_;
  KeptRows past_;
};
}  // namespace

std::unique_ptr<op::DeviceStep> PolyphaseStep::device(const op::DevicePlace& place,
                                                      const op::StartPoint& at) const {
  return std::make_unique<PolyphaseOnDevice>(plan_, edge_, place, at);
}

std::size_t PolyphaseStep::device_bytes(std::int64_t channels, std::int64_t) const noexcept {
  const std::int64_t taps = static_cast<std::int64_t>(plan_.taps.size()) / plan_.tap_stride *
                            (plan_.tap_stride == 1 ? 1 : channels);
  return static_cast<std::size_t>(taps) * sizeof(float) +
         (plan_.phases.size() + plan_.head.size() + plan_.tail.size()) * 3 * sizeof(std::int32_t) +
         KeptRows::bytes_for(plan_.kept_rows(), channels);
}

}  // namespace weir::signal
