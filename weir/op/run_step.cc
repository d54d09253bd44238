#include "weir/op/run_step.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "weir/core/error.h"

namespace weir::op {
namespace {
/// Longest block one `run` call can be given when `push` gets `max_frames`.
std::int64_t longest_run(const Step& step, std::int64_t max_frames) noexcept {
  return std::max(step.grid_frames(), max_frames);
}

void copy_rows(AnyBlock from, AnyBlock to) noexcept {
  const auto width = static_cast<std::size_t>(from.channels()) * size_of(from.type());
  for (std::int64_t frame = 0; frame < from.frames(); ++frame) {
    std::memcpy(to.slice(frame, 1).data(), from.slice(frame, 1).data(), width);
  }
}
}  // namespace

std::int64_t output_channels(const Step& step, std::int64_t channels) noexcept {
  const Port& port = step.ports().front();
  return step.parallel() == Parallel::channels ? channels * port.spread
                                               : port.stream.channel_count();
}

StepRun::StepRun(const Step& step, const StartPoint& at, std::int64_t max_frames, Room room)
    : step_(step), state_(step.start(at)) {
  const std::int64_t frames = room_frames(step, max_frames);
  if (room == Room::own && frames > 0) {
    own_ =
        Buffer(step.ports().front().stream.type, frames, output_channels(step, at.channel_count));
    room_ = own_.block();
  }
}

std::int64_t StepRun::room_frames(const Step& step, std::int64_t max_frames) noexcept {
  return step.ports().front().kind == PortKind::signal
             ? step.max_output(longest_run(step, max_frames))
             : 0;
}

std::size_t StepRun::held_bytes(const Step& step, SampleType in, std::int64_t channels) noexcept {
  return step.grid_frames() > 1 ? Buffer::bytes_for(in, step.grid_frames(), channels) : 0;
}

void StepRun::connect(EventFeed& feed) {
  WEIR_CHECK(step_.grid_frames() == 1 && step_.parallel() == Parallel::none);
  feed_ = &feed;
}

void StepRun::run(AnyBlock in, const Receiver& receive) {
  if (feed_ != nullptr) {
    given_ += in.frames();
    heard_.clear();
    feed_->take(given_, heard_);
    step_.hear(*state_, heard_);
  }
  std::array<Emission, 1> out{{{room_, 0, &events_, snippets_}}};
  events_.clear();
  step_.run(*state_, in, out);
  receive(room_.slice(0, out[0].frames), events_);
}

void StepRun::hear_rest() {
  if (feed_ != nullptr) {
    heard_.clear();
    feed_->take_rest(heard_);
    step_.hear(*state_, heard_);
  }
}

std::int64_t StepRun::keep(AnyBlock in, std::int64_t frames) {
  if (held_.frames() == 0) {
    held_ = Buffer(in.type(), step_.grid_frames(), in.channels());
  }
  copy_rows(in.slice(0, frames), held_.block().slice(held_frames_, frames));
  held_frames_ += frames;
  return frames;
}

void StepRun::push(AnyBlock in, const Receiver& receive) {
  const FlushToZero guard;
  const std::int64_t grid = step_.grid_frames();
  std::int64_t used = 0;
  if (held_frames_ > 0) {
    used = keep(in, std::min(in.frames(), grid - held_frames_));
    if (held_frames_ == grid) {
      run(held_.block(), receive);
      held_frames_ = 0;
    }
  }
  const std::int64_t whole = (in.frames() - used) / grid * grid;
  if (whole > 0) {
    run(in.slice(used, whole), receive);
    used += whole;
  }
  if (used < in.frames()) {
    keep(in.slice(used, in.frames() - used), in.frames() - used);
  }
}

bool StepRun::finish_some(const Receiver& receive) {
  const FlushToZero guard;
  if (held_frames_ > 0) {
    run(held_.first(held_frames_), receive);
    held_frames_ = 0;
    return false;
  }
  hear_rest();
  std::array<Emission, 1> out{{{room_, 0, &events_, snippets_}}};
  events_.clear();
  const bool done = step_.finish(*state_, out);
  receive(room_.slice(0, out[0].frames), events_);
  return done;
}

void StepRun::finish(const Receiver& receive) {
  while (!finish_some(receive)) {
  }
}

void StepRun::save(ByteWriter& to) const {
  to.put(held_frames_);
  const auto row_bytes =
      static_cast<std::size_t>(held_.block().channels()) * size_of(held_.block().type());
  for (std::int64_t frame = 0; frame < held_frames_; ++frame) {
    to.put_all(
        std::span(static_cast<const std::byte*>(held_.block().slice(frame, 1).data()), row_bytes));
  }
  to.put(held_.block().type());
  to.put(held_.block().channels());
  if (feed_ != nullptr) {
    to.put(given_);
  }
  step_.save(*state_, to);
}

void StepRun::load(ByteReader& from) {
  held_frames_ = from.get<std::int64_t>();
  std::vector<std::vector<std::byte>> rows;
  rows.reserve(
      static_cast<std::size_t>(std::clamp<std::int64_t>(held_frames_, 0, step_.grid_frames())));
  for (std::int64_t frame = 0; frame < held_frames_; ++frame) {
    rows.push_back(from.get_vector<std::byte>());
  }
  const auto type = from.get<SampleType>();
  const auto channels = from.get<std::int64_t>();
  if (held_frames_ > 0) {
    held_ = Buffer(type, step_.grid_frames(), channels);
    for (std::size_t frame = 0; frame < rows.size(); ++frame) {
      std::memcpy(held_.block().slice(static_cast<std::int64_t>(frame), 1).data(),
                  rows[frame].data(), rows[frame].size());
    }
  }
  if (feed_ != nullptr) {
    given_ = from.get<std::int64_t>();
  }
  step_.load(*state_, from);
}

}  // namespace weir::op
