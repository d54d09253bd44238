#include "weir/testing/guarded_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "weir/op/run_step.h"

namespace weir::testing {
namespace {
constexpr std::int64_t kGuardRows = 512;
constexpr std::byte kCanary{0xA5};

std::int64_t wide_stride(std::int64_t channels) noexcept {
  return padded_channels(channels) + kLanePadding;
}

bool untouched(const std::byte* first, std::size_t count) noexcept {
  return std::all_of(first, first + count, [](std::byte b) { return b == kCanary; });
}
}  // namespace

GuardedRun::GuardedRun(const BoundStep& bound, const op::StartPoint& at, std::int64_t max_frames)
    : bound_(bound),
      at_(at),
      max_frames_(std::max(max_frames, bound.step->grid_frames())),
      state_(bound.step->start(at)),
      feed_(feed_of(bound, at.segment)),
      given_(at.first_frame) {
  const op::Port& port = bound.step->ports().front();
  const bool signal = port.kind == op::PortKind::signal;
  samples_.channels = signal ? op::output_channels(*bound.step, at.channel_count)
                      : port.kind == op::PortKind::snippets ? port.stream.channel_count()
                                                            : 0;
}

op::Emission GuardedRun::room_for(std::int64_t frames) {
  op::Emission out;
  out.events = &fresh_;
  out.snippets = this;
  fresh_.clear();
  const op::Port& port = bound_.step->ports().front();
  if (port.kind == op::PortKind::signal) {
    const std::int64_t rows = bound_.step->max_output(frames);
    const std::int64_t stride = wide_stride(samples_.channels);
    const auto size = static_cast<std::int64_t>(size_of(port.stream.type));
    // A liar may write more than it said: leave it room to be caught in.
    room_.assign(static_cast<std::size_t>((rows + frames + 2 * kGuardRows) * stride * size + size),
                 kCanary);
    out.room = AnyBlock(port.stream.type, room_.data() + size + kGuardRows * stride * size, rows,
                        samples_.channels, stride);
  }
  return out;
}

void GuardedRun::take(op::Emission& out, const std::string& call) {
  take_events(call);
  if (bound_.step->ports().front().kind != op::PortKind::signal) {
    return;
  }
  const std::byte* first = static_cast<const std::byte*>(out.room.data());
  const auto row_bytes = static_cast<std::size_t>(out.room.stride()) * size_of(out.room.type());
  const std::byte* last = first + static_cast<std::size_t>(out.room.frames()) * row_bytes;
  if (out.frames > out.room.frames() || out.frames < 0) {
    broken_.push_back(fmt::format("max_output: {} emitted {} frames, {} were promised at most",
                                  call, out.frames, out.room.frames()));
    out.frames = std::clamp<std::int64_t>(out.frames, 0, out.room.frames());
  }
  const auto after = static_cast<std::size_t>(room_.data() + room_.size() - last);
  if (!untouched(room_.data(), static_cast<std::size_t>(first - room_.data())) ||
      !untouched(last, after)) {
    broken_.push_back(
        fmt::format("max_output: {} wrote outside its room of {} rows", call, out.room.frames()));
  }
  append_rows(out.room.slice(0, out.frames), samples_.frames, 0, samples_);
}

void GuardedRun::snippet(const Event& event, AnyBlock rows) {
  fresh_.push_back(event);
  if (rows.frames() != bound_.step->ports().front().snippet_frames ||
      rows.channels() != samples_.channels) {
    broken_.push_back(fmt::format("ports: a snippet of {} frames and {} channels", rows.frames(),
                                  rows.channels()));
    return;
  }
  append_rows(rows, samples_.frames, 0, samples_);
}

void GuardedRun::take_events(const std::string& call) {
  std::int64_t latest = last_final_;
  for (const Event& event : fresh_) {
    const bool own =
        event.channel >= at_.first_channel && event.channel < at_.first_channel + at_.channel_count;
    if (!own || event.segment != static_cast<std::uint32_t>(at_.segment)) {
      broken_.push_back(
          fmt::format("events: {} named channel {} of segment {}, which it was not given", call,
                      event.channel, event.segment));
    }
    if (event.final < last_final_) {
      broken_.push_back(
          fmt::format("events: {} emitted one final at sample {} after one final at {}", call,
                      event.final, last_final_));
    }
    latest = std::max(latest, event.final);
  }
  last_final_ = latest;
  events_.insert(events_.end(), fresh_.begin(), fresh_.end());
}

AnyBlock GuardedRun::misplaced(AnyBlock in) {
  const auto size = size_of(in.type());
  const std::int64_t stride = wide_stride(in.channels());
  block_.assign(static_cast<std::size_t>(in.frames() * stride + 1) * size, std::byte{0xFF});
  AnyBlock block(in.type(), block_.data() + size, in.frames(), in.channels(), stride);
  for (std::int64_t frame = 0; frame < in.frames(); ++frame) {
    std::memcpy(block.slice(frame, 1).data(), in.slice(frame, 1).data(),
                static_cast<std::size_t>(in.channels()) * size);
  }
  return block;
}

void GuardedRun::push(AnyBlock in) {
  const op::FlushToZero guard;
  std::vector<op::Emission> out{room_for(in.frames())};
  const AnyBlock block = misplaced(in);
  const std::vector<std::byte> before = block_;
  if (feed_ != nullptr) {
    given_ += in.frames();
    EventList events;
    feed_->take(given_, events);
    bound_.step->hear(*state_, events);
  }
  bound_.step->run(*state_, block, out);
  for (std::int64_t frame = 0; frame < block.frames(); ++frame) {
    const auto* now = static_cast<const std::byte*>(block.slice(frame, 1).data());
    const auto bytes = static_cast<std::size_t>(block.channels()) * size_of(block.type());
    if (std::memcmp(now, before.data() + (now - block_.data()), bytes) != 0) {
      broken_.push_back(
          fmt::format("run changed row {} of its input, which others read too", frame));
      break;
    }
  }
  take(out.front(), fmt::format("run of {} frames", in.frames()));
}

void GuardedRun::finish() {
  const op::FlushToZero guard;
  if (feed_ != nullptr) {
    EventList events;
    feed_->take_rest(events);
    bound_.step->hear(*state_, events);
  }
  constexpr int kCallsTooMany = 20'000;
  for (int call = 0; call < kCallsTooMany; ++call) {
    std::vector<op::Emission> out{room_for(max_frames_)};
    const bool done = bound_.step->finish(*state_, out);
    take(out.front(), "finish");
    if (done) {
      return;
    }
  }
  broken_.emplace_back("finish never returns true");
}

}  // namespace weir::testing
