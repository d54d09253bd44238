#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "weir/compute/device.h"
#include "weir/op/step.h"

namespace weir::op {

/// A stretch of a stream in device memory.
/// Shape: [frames, channels], frame-major: frame f, channel c is element first + f * stride + c of
/// the buffer. Lanes from `channels` on up to `stride` mean nothing.
struct DeviceBlock {
  compute::Buffer buffer;
  SampleType type = SampleType::float32;
  std::int64_t first = 0;  ///< Element of the first frame: blocks lie anywhere in a ring.
  std::int64_t frames = 0;
  std::int64_t channels = 0;
  std::int64_t stride = 0;
};

/// Room for the events of one call on a device. Shape: `rows` is [1 + capacity, kWords] of int64.
/// Word 0 of row 0 counts the events found, set in every call, beyond the capacity too. They follow
/// in any order: onset, peak, final; bits of `peak_value` below, above them 4 * (channel of the
/// group) + 2 * (no offset) + (polarity is -1), negative where the offset is not `final`: then the
/// second word has the peak (below) and the offset (above), counted from the onset.
struct DeviceEvents {
  static constexpr std::int64_t kWords = 4;
  compute::Buffer rows;
  std::int64_t capacity = 0;

  static std::size_t bytes_for(std::int64_t capacity) noexcept {
    return static_cast<std::size_t>((1 + capacity) * kWords) * sizeof(std::int64_t);
  }
};

/// Downloads what was found, and no more, and appends it in the order of rows. Waits.
/// Errors: `internal` when there are more events than room: none is ever dropped in silence.
void take_events(compute::Queue& queue, const DeviceEvents& from, const StartPoint& at,
                 EventList& events);

/// The same from the first words of `rows`, which have been downloaded already: what they leave
/// out is downloaded now.
void take_events(compute::Queue& queue, const DeviceEvents& from,
                 std::span<const std::int64_t> first_words, const StartPoint& at,
                 EventList& events);

/// Where a step on a device puts what has become final, one per port; see `Emission`.
struct DeviceEmission {
  DeviceBlock room;         ///< Signal ports: `Step::max_output(frames in)` rows at least.
  std::int64_t frames = 0;  ///< How many were filled.
  DeviceEvents events;      ///< Event ports: room for `Step::max_events` at least.
  SnippetReceiver* snippets = nullptr;  ///< Snippet ports: call this, once they are on the host.
};

/// How many snippets of a port leave a device together, and the memory for them on either side.
std::int64_t snippets_at_once(const Port& port) noexcept;
std::size_t snippet_room_bytes(const Port& port) noexcept;

/// Where a step's kernels are compiled, its state lives and its launches go, in order.
/// Lives: longer than the steps made with it.
struct DevicePlace {
  compute::Device& device;
  compute::Queue& queue;
  std::int64_t max_frames = 0;  ///< The longest block `run` will be given.
};

/// A planned step and its State for one segment and one group of channels, resident on a device.
/// Blocks come as they come to `Step::run`: in order, in the step's input form, cut at multiples of
/// its `grid_frames()`, and share no element with the rooms. `run` and `finish` enqueue a few
/// launches and do not wait: how many frames come out follows from how many went in, and how many
/// events is known when they are taken. All memory is allocated in the beginning, within
/// `Step::device_bytes`. Those of steps that hear wait, and have a queue to themselves.
class DeviceStep {
 public:
  virtual ~DeviceStep() = default;
  /// As `Step::hear`, right before the `run` or `finish` that the events belong to.
  virtual void hear(std::span<const Event> events) { static_cast<void>(events); }
  /// Consumes `in`, emits what is final.
  virtual void run(const DeviceBlock& in, std::span<DeviceEmission> out) = 0;
  /// End of the segment: the held-back tail, as much as there is room for. Called until it returns
  /// true.
  virtual bool finish(std::span<DeviceEmission> out);

  /// Makes `to`, fresh from `Step::start`, what it would be had the CPU seen the same frames,
  /// within the step's tolerance. So `Step::save` of it is the checkpoint, and any target may go on
  /// from there. Between blocks only, not after `finish`. Waits.
  virtual void hand_over(State& to) const;
  /// Goes on from `from`, before the first block.
  virtual void take_over(const State& from);
};

}  // namespace weir::op
