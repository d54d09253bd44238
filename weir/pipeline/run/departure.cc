#include "weir/pipeline/run/departure.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "weir/pipeline/plan/device_graph.h"

namespace weir::pipeline {
namespace {

std::size_t bytes_of(const op::DeviceBlock& rows) {
  return static_cast<std::size_t>(rows.frames * rows.stride) * size_of(rows.type);
}

std::vector<std::int32_t> narrowed(const std::vector<std::int64_t>& channels) {
  return {channels.begin(), channels.end()};
}

/// The numbers of the channels that are written.
std::vector<float> chosen(const std::vector<float>& table,
                          const std::vector<std::int64_t>& channels) {
  std::vector<float> values;
  values.reserve(channels.size());
  for (const std::int64_t channel : channels) {
    values.push_back(table[static_cast<std::size_t>(channel)]);
  }
  return values;
}

}  // namespace

RowDeparture::RowDeparture(const op::DevicePlace& place, const PlannedOutput& plan,
                           const StreamInfo& stream, std::int64_t rows, Output& to)
    : place_(place),
      to_(to),
      type_(plan.recording.stream.type),
      width_(plan.recording.stream.channel_count()),
      copies_(copies_counts(plan, stream)),
      convert_(place_),
      gain_(place.device.allocate(place.queue, chosen(plan.gain, plan.channels))),
      offset_(place.device.allocate(place.queue, chosen(plan.offset, plan.channels))) {
  const bool picks = picks_channels(plan, stream);
  if (picks || copies_) {
    pick_.emplace(place_, narrowed(plan.channels));
  }
  if (picks && !copies_) {
    picked_ = room(stream.type, rows);
  }
  if (widens_counts(plan, stream)) {
    widened_ = room(SampleType::float32, rows);
    zeros_ = place.device.allocate(place.queue,
                                   std::vector<float>(static_cast<std::size_t>(width_), 0.0F));
  }
  const auto counters = static_cast<std::size_t>(width_) * sizeof(std::int32_t);
  for (Slot& slot : slots_) {
    slot.rows = room(type_, rows);
    slot.memory = place.device.allocate_host(bytes_of(slot.rows));
    slot.clipped = place.device.allocate(counters);
    slot.clipped_memory = place.device.allocate_host(counters);
  }
}

op::DeviceBlock RowDeparture::room(SampleType type, std::int64_t frames) const {
  op::DeviceBlock block;
  block.type = type;
  block.frames = frames;
  block.channels = width_;
  block.stride = width_;
  block.buffer = place_.device.allocate(bytes_of(block));
  return block;
}

void RowDeparture::load(std::size_t slot, const op::DeviceEmission& from) {
  Slot& to = slots_[slot];
  op::DeviceBlock rows = from.room;
  rows.frames = from.frames;
  to.rows.frames = from.frames;
  if (rows.frames == 0) {
    return;
  }
  place_.queue.clear(to.clipped);
  if (copies_) {
    pick_->pick(rows, to.rows);
    return;
  }
  if (pick_) {
    picked_.frames = rows.frames;
    pick_->pick(rows, picked_);
    rows = picked_;
  }
  convert(rows, to);
}

void RowDeparture::convert(const op::DeviceBlock& in, const Slot& slot) {
  if (type_ == SampleType::float32) {
    convert_.to_physical(in, gain_, offset_, slot.rows);
  } else if (in.type == SampleType::int16) {
    widened_.frames = in.frames;
    convert_.shift(in, zeros_, widened_);
    convert_.to_int16(widened_, gain_, slot.clipped, slot.rows);
  } else {
    convert_.to_int16(in, gain_, slot.clipped, slot.rows);
  }
}

void RowDeparture::download(std::size_t slot, compute::Queue& queue) {
  const Slot& from = slots_[slot];
  const std::size_t bytes = bytes_of(from.rows);
  if (bytes > 0) {
    queue.start_download(from.rows.buffer, 0, from.memory, 0, bytes);
    queue.start_download(from.clipped, 0, from.clipped_memory, 0, from.clipped.bytes());
    downloaded_bytes_ += static_cast<std::int64_t>(bytes + from.clipped.bytes());
  }
}

void RowDeparture::hand_on(std::size_t slot, compute::Queue&) {
  const Slot& from = slots_[slot];
  if (from.rows.frames == 0) {
    to_.turn_over();
    return;
  }
  const auto clipped = from.clipped_memory.as<std::int32_t>();
  to_.converted({type_, from.memory.bytes().data(), from.rows.frames, width_, width_},
                std::accumulate(clipped.begin(), clipped.end(), std::int64_t{0}));
  to_.turn_over();
}

EventDeparture::EventDeparture(compute::Device& device, std::int64_t capacity) {
  const std::int64_t first = std::min(capacity, kEventsAtOnce);
  for (Slot& slot : slots_) {
    slot.events = {device.allocate(op::DeviceEvents::bytes_for(capacity)), capacity};
    slot.first = device.allocate_host(op::DeviceEvents::bytes_for(first));
  }
}

void EventDeparture::download(std::size_t slot, compute::Queue& queue) {
  const Slot& from = slots_[slot];
  const std::size_t bytes = from.first.bytes().size();
  queue.start_download(from.events.rows, 0, from.first, 0, bytes);
  downloaded_bytes_ += static_cast<std::int64_t>(bytes);
}

void EventDeparture::hand_on(std::size_t slot, compute::Queue& queue) {
  const Slot& from = slots_[slot];
  EventList events;
  op::take_events(queue, from.events, from.first.as<std::int64_t>(), at_, events);
  const auto beyond = static_cast<std::int64_t>(
                          op::DeviceEvents::bytes_for(static_cast<std::int64_t>(events.size()))) -
                      static_cast<std::int64_t>(from.first.bytes().size());
  downloaded_bytes_ += std::max<std::int64_t>(beyond, 0);
  for (Sink* sink : listeners_) {
    sink->events(0, events);
  }
  for (Sink* sink : sinks_) {
    sink->events(0, events);
    sink->turn_over();
  }
}

BranchDeparture::BranchDeparture(const op::DevicePlace& place, const StreamInfo& stream,
                                 std::int64_t rows)
    : queue_(place.queue) {
  for (Slot& slot : slots_) {
    slot.rows.type = stream.type;
    slot.rows.frames = rows;
    slot.rows.channels = stream.channel_count();
    slot.rows.stride = padded_channels(stream.channel_count());
    slot.rows.buffer = place.device.allocate(bytes_of(slot.rows));
    slot.memory = place.device.allocate_host(bytes_of(slot.rows));
  }
}

void BranchDeparture::load(std::size_t slot, const op::DeviceEmission& from) {
  op::DeviceBlock& to = slots_[slot].rows;
  to.frames = from.frames;
  WEIR_CHECK(from.room.stride == to.stride && from.room.type == to.type);
  queue_.copy(from.room.buffer, static_cast<std::size_t>(from.room.first) * size_of(to.type),
              to.buffer, 0, bytes_of(to));
}

void BranchDeparture::download(std::size_t slot, compute::Queue& queue) {
  const Slot& from = slots_[slot];
  queue.start_download(from.rows.buffer, 0, from.memory, 0, bytes_of(from.rows));
  downloaded_bytes_ += static_cast<std::int64_t>(bytes_of(from.rows));
}

void BranchDeparture::hand_on(std::size_t slot, compute::Queue&) {
  const Slot& from = slots_[slot];
  if (from.rows.frames > 0) {
    receive_({from.rows.type, from.memory.bytes().data(), from.rows.frames, from.rows.channels,
              from.rows.stride});
  }
}

LateDeparture::LateDeparture(const op::DevicePlace& place, compute::Queue& late,
                             const StreamInfo& stream, std::int64_t rows, Receive receive)
    : queue_(place.queue), late_(late), receive_(std::move(receive)) {
  for (Slot& slot : slots_) {
    slot.rows.type = stream.type;
    slot.rows.frames = rows;
    slot.rows.channels = stream.channel_count();
    slot.rows.stride = padded_channels(stream.channel_count());
    slot.rows.buffer = place.device.allocate(bytes_of(slot.rows));
  }
}

void LateDeparture::load(std::size_t slot, const op::DeviceEmission& from) {
  op::DeviceBlock& to = slots_[slot].rows;
  to.frames = from.frames;
  to.stride = from.room.stride;
  WEIR_CHECK(from.room.type == to.type && bytes_of(to) <= to.buffer.bytes());
  queue_.wait(slots_[slot].read);
  queue_.copy(from.room.buffer, static_cast<std::size_t>(from.room.first) * size_of(to.type),
              to.buffer, 0, bytes_of(to));
}

void LateDeparture::hand_on(std::size_t slot, compute::Queue&) {
  receive_(slots_[slot].rows);
  slots_[slot].read = late_.record();
}

ChunkDeparture::ChunkDeparture(const StreamInfo& stream, std::int64_t rows, Receive receive)
    : receive_(std::move(receive)) {
  for (Slot& slot : slots_) {
    slot.rows = Buffer(stream.type, rows, stream.channel_count());
  }
}

void ChunkDeparture::keep(std::size_t slot, AnyBlock chunk) {
  Slot& to = slots_[slot];
  to.frames = chunk.frames();
  const std::size_t row = static_cast<std::size_t>(chunk.channels()) * size_of(chunk.type());
  for (std::int64_t frame = 0; frame < to.frames; ++frame) {
    std::memcpy(to.rows.block().slice(frame, 1).data(), chunk.slice(frame, 1).data(), row);
  }
}

void ChunkDeparture::hand_on(std::size_t slot, compute::Queue&) {
  receive_(slots_[slot].rows.first(slots_[slot].frames));
}

}  // namespace weir::pipeline
