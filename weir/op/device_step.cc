#include "weir/op/device_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

namespace weir::op {
namespace {

Event event_of(const std::int64_t* words, const StartPoint& at) {
  constexpr std::uint32_t kLate = 0x80000000U;
  const auto last = static_cast<std::uint64_t>(words[3]);
  const auto tag = static_cast<std::uint32_t>(last >> 32);
  Event event{.onset = words[0],
              .offset = (tag & 2U) != 0 ? Event::kOpen : words[2],
              .peak = words[1],
              .final = words[2],
              .peak_value = std::bit_cast<float>(static_cast<std::uint32_t>(last)),
              .channel = static_cast<std::int32_t>(at.first_channel + (tag & ~kLate) / 4),
              .segment = static_cast<std::uint32_t>(at.segment),
              .polarity = static_cast<std::int8_t>((tag & 1U) != 0 ? -1 : 1)};
  if ((tag & kLate) != 0) {
    event.peak = event.onset + static_cast<std::uint32_t>(words[1]);
    event.offset = event.onset + (words[1] >> 32);
  }
  return event;
}

}  // namespace

void take_events(compute::Queue& queue, const DeviceEvents& from, const StartPoint& at,
                 EventList& events) {
  std::array<std::int64_t, DeviceEvents::kWords> first{};
  queue.download(from.rows, 0, std::as_writable_bytes(std::span(first)));
  take_events(queue, from, first, at, events);
}

void take_events(compute::Queue& queue, const DeviceEvents& from,
                 std::span<const std::int64_t> first_words, const StartPoint& at,
                 EventList& events) {
  const std::int64_t count = first_words[0];
  if (count < 0 || count > from.capacity) {
    throw Error(ErrorCode::internal,
                fmt::format("a device step found {} events where it had promised at most {}", count,
                            from.capacity));
  }
  std::vector<std::int64_t> words(static_cast<std::size_t>(count * DeviceEvents::kWords));
  const auto there = first_words.subspan(DeviceEvents::kWords);
  const std::size_t known = std::min(words.size(), there.size());
  std::copy_n(there.begin(), known, words.begin());
  queue.download(from.rows, DeviceEvents::bytes_for(0) + known * sizeof(std::int64_t),
                 std::as_writable_bytes(std::span(words).subspan(known)));
  const auto already = static_cast<std::ptrdiff_t>(events.size());
  for (std::size_t i = 0; i < words.size(); i += DeviceEvents::kWords) {
    events.push_back(event_of(words.data() + i, at));
  }
  std::sort(events.begin() + already, events.end(), row_before);
}

bool DeviceStep::finish(std::span<DeviceEmission> out) {
  for (auto& port : out) {
    port.frames = 0;
  }
  return true;
}

void DeviceStep::hand_over(State&) const {}
void DeviceStep::take_over(const State&) {}

std::unique_ptr<DeviceStep> Step::device(const DevicePlace&, const StartPoint&) const {
  return nullptr;
}

namespace {
std::int64_t bytes_of_snippet(const Port& port) noexcept {
  return port.snippet_frames * port.stream.channel_count() * std::int64_t{sizeof(float)};
}
}  // namespace

std::int64_t snippets_at_once(const Port& port) noexcept {
  constexpr std::int64_t kBytes = std::int64_t{4} << 20;
  constexpr std::int64_t kMost = 4096;
  return std::clamp<std::int64_t>(kBytes / std::max<std::int64_t>(1, bytes_of_snippet(port)), 1,
                                  kMost);
}

std::size_t snippet_room_bytes(const Port& port) noexcept {
  return static_cast<std::size_t>(snippets_at_once(port) * bytes_of_snippet(port));
}

}  // namespace weir::op
