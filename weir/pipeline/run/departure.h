#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>

#include "weir/op/device_convert.h"
#include "weir/op/device_pick.h"
#include "weir/pipeline/plan/plan_data.h"
#include "weir/pipeline/plan/size_input.h"
#include "weir/pipeline/run/output.h"

namespace weir::pipeline {

/// What leaves the device below one node, through a ring of rooms on both sides of the link.
/// The order for each slot: `load`, then `download`, then `hand_on`.
class Departure {
 public:
  virtual ~Departure() = default;
  /// Enqueues what makes the node's output fit to leave, behind what computes it. The slot is free.
  virtual void load(std::size_t slot, const op::DeviceEmission& from) = 0;
  /// Enqueues the download of what was loaded.
  virtual void download(std::size_t slot, compute::Queue& queue) = 0;
  /// The download has ended: gives what came to whoever waits for it, and frees the slot.
  virtual void hand_on(std::size_t slot, compute::Queue& queue) = 0;
  std::int64_t downloaded_bytes() const noexcept { return downloaded_bytes_; }
  /// Of one wave, events are handed on before the rows of branches, and those in the order of the
  /// branches.
  std::int64_t turn() const noexcept { return turn_; }
  void take_turn(std::int64_t turn) noexcept { turn_ = turn; }

 protected:
  std::int64_t downloaded_bytes_ = 0;

 private:
  std::int64_t turn_ = 0;
};

/// Rows of a signal output: its channels picked and converted on the device, so that nothing else
/// crosses the link.
class RowDeparture final : public Departure {
 public:
  /// `rows`: as many as the node emits at once. Lives: shorter than `place`, `plan` and `to`.
  RowDeparture(const op::DevicePlace& place, const PlannedOutput& plan, const StreamInfo& stream,
               std::int64_t rows, Output& to);
  void load(std::size_t slot, const op::DeviceEmission& from) override;
  void download(std::size_t slot, compute::Queue& queue) override;
  void hand_on(std::size_t slot, compute::Queue& queue) override;

 private:
  struct Slot {
    op::DeviceBlock rows;
    compute::Buffer clipped;  ///< [channels] int32, for int16.
    compute::HostMemory memory;
    compute::HostMemory clipped_memory;
  };
  op::DeviceBlock room(SampleType type, std::int64_t frames) const;
  void convert(const op::DeviceBlock& in, const Slot& slot);

  op::DevicePlace place_;
  Output& to_;
  SampleType type_;
  std::int64_t width_;
  bool copies_;  ///< The stored integers leave as they are.
  op::DeviceConvert convert_;
  std::optional<op::DevicePick> pick_;
  op::DeviceBlock picked_;
  op::DeviceBlock widened_;
  compute::Buffer zeros_;
  compute::Buffer gain_;
  compute::Buffer offset_;
  std::array<Slot, kDepartureSlots> slots_;
};

/// Events of one node, found and compacted on the device.
class EventDeparture final : public Departure {
 public:
  /// `capacity`: the most events of one call.
  EventDeparture(compute::Device& device, std::int64_t capacity);
  /// Gets every event found, in the order of rows.
  void deliver_to(Sink& sink) { sinks_.push_back(&sink); }
  void begin(const op::StartPoint& at) {
    at_ = at;
    listeners_.clear();
  }
  /// Gets those of this segment.
  void listen(Sink& sink) { listeners_.push_back(&sink); }
  /// Where the node's next events go.
  const op::DeviceEvents& room(std::size_t slot) const { return slots_[slot].events; }

  void load(std::size_t, const op::DeviceEmission&) override {}
  void download(std::size_t slot, compute::Queue& queue) override;
  void hand_on(std::size_t slot, compute::Queue& queue) override;

 private:
  struct Slot {
    op::DeviceEvents events;
    compute::HostMemory first;  ///< The count and the first events.
  };
  op::StartPoint at_;
  std::vector<Sink*> sinks_;
  std::vector<Sink*> listeners_;
  std::array<Slot, kDepartureSlots> slots_;
};

/// Rows as they are, for steps on the CPU that go on from there.
class BranchDeparture final : public Departure {
 public:
  using Receive = std::function<void(AnyBlock)>;
  BranchDeparture(const op::DevicePlace& place, const StreamInfo& stream, std::int64_t rows);
  void deliver_to(Receive receive) { receive_ = std::move(receive); }
  void load(std::size_t slot, const op::DeviceEmission& from) override;
  void download(std::size_t slot, compute::Queue& queue) override;
  void hand_on(std::size_t slot, compute::Queue& queue) override;

 private:
  struct Slot {
    op::DeviceBlock rows;
    compute::HostMemory memory;
  };
  compute::Queue& queue_;
  Receive receive_;
  std::array<Slot, kDepartureSlots> slots_;
};

/// Rows as they are, kept on the device for a step that hears: it runs once the events of their
/// wave have come.
class LateDeparture final : public Departure {
 public:
  using Receive = std::function<void(const op::DeviceBlock&)>;
  /// `late`: where `receive` enqueues what reads the rows.
  LateDeparture(const op::DevicePlace& place, compute::Queue& late, const StreamInfo& stream,
                std::int64_t rows, Receive receive);
  void load(std::size_t slot, const op::DeviceEmission& from) override;
  void download(std::size_t, compute::Queue&) override {}
  void hand_on(std::size_t slot, compute::Queue& queue) override;

 private:
  struct Slot {
    op::DeviceBlock rows;
    compute::Fence read;  ///< What reads the rows has run.
  };
  compute::Queue& queue_;
  compute::Queue& late_;
  Receive receive_;
  std::array<Slot, kDepartureSlots> slots_;
};

/// Chunks as they were read, kept on the host until their wave comes back: for steps on the CPU
/// that take events found on the way.
class ChunkDeparture final : public Departure {
 public:
  using Receive = std::function<void(AnyBlock)>;
  /// `rows`: of the longest chunk.
  ChunkDeparture(const StreamInfo& stream, std::int64_t rows, Receive receive);
  void keep(std::size_t slot, AnyBlock chunk);
  void load(std::size_t, const op::DeviceEmission&) override {}
  void download(std::size_t, compute::Queue&) override {}
  void hand_on(std::size_t slot, compute::Queue& queue) override;

 private:
  struct Slot {
    Buffer rows;
    std::int64_t frames = 0;
  };
  Receive receive_;
  std::array<Slot, kDepartureSlots> slots_;
};

}  // namespace weir::pipeline
