#include "weir/testing/device_conformance.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "weir/op/device_step.h"
#include "weir/testing/bound_step.h"
#include "weir/testing/probe.h"
#include "weir/testing/required.h"

namespace weir::testing {
namespace {

/// Elements before the first frame of every device block.
constexpr std::int64_t kFirst = 5;

op::DeviceBlock device_rows(compute::Device& device, SampleType type, std::int64_t frames,
                            std::int64_t channels) {
  op::DeviceBlock rows;
  rows.type = type;
  rows.first = kFirst;
  rows.frames = frames;
  rows.channels = channels;
  rows.stride = channels + 3;
  rows.buffer =
      device.allocate(static_cast<std::size_t>(kFirst + frames * rows.stride) * size_of(type));
  return rows;
}

std::size_t byte_of(const op::DeviceBlock& rows, std::int64_t frame) {
  return static_cast<std::size_t>(rows.first + frame * rows.stride) * size_of(rows.type);
}

op::DeviceBlock uploaded(const op::DevicePlace& place, AnyBlock from) {
  const auto rows = device_rows(place.device, from.type(), from.frames(), from.channels());
  const auto row_bytes = static_cast<std::size_t>(from.channels()) * size_of(from.type());
  std::vector<std::byte> bytes(rows.buffer.bytes(), std::byte{0xff});
  for (std::int64_t frame = 0; frame < from.frames(); ++frame) {
    std::memcpy(bytes.data() + byte_of(rows, frame), from.slice(frame, 1).data(), row_bytes);
  }
  place.queue.upload(rows.buffer, bytes);
  return rows;
}

Buffer downloaded(const op::DevicePlace& place, const op::DeviceBlock& rows, std::int64_t frames) {
  Buffer to(rows.type, frames, rows.channels);
  const auto bytes = place.queue.download<std::byte>(rows.buffer);
  const auto row_bytes = static_cast<std::size_t>(rows.channels) * size_of(rows.type);
  for (std::int64_t frame = 0; frame < frames; ++frame) {
    std::memcpy(to.block().slice(frame, 1).data(), bytes.data() + byte_of(rows, frame), row_bytes);
  }
  return to;
}

/// One segment, all channels. Returns the first output row after it.
std::int64_t run_segment(const BoundStep& bound, const op::DevicePlace& place, std::size_t index,
                         AnyBlock data, const Cuts& cuts, std::int64_t next, Outcome& outcome) {
  const std::int64_t channels = bound.in.channel_count();
  const op::Port& port = bound.step->ports().front();
  const auto step = bound.step->device(place, {static_cast<std::int64_t>(index), 0, 0, channels});
  if (step == nullptr) {
    throw Error(ErrorCode::unsupported, "the step stays on the CPU");
  }
  const auto room = [&](std::int64_t frames) {
    return device_rows(place.device, port.stream.type, bound.step->max_output(frames),
                       port.stream.channel_count());
  };
  const auto emit = [&](const op::DeviceBlock& out, std::int64_t frames) {
    append_rows(downloaded(place, out, frames).block(), next, 0, outcome.samples);
    next += frames;
  };
  for_each_cut(cuts, data.frames(), [&](std::int64_t first, std::int64_t count) {
    const auto in = uploaded(place, data.slice(first, count));
    const auto out = room(count);
    emit(out, step->run(in, out));
  });
  for (bool done = false; !done;) {
    const auto out = room(data.frames());
    std::int64_t frames = 0;
    done = step->finish(out, frames);
    emit(out, frames);
  }
  return next;
}

void compare(const Samples& actual, const Samples& expected, double relative,
             const std::string& what) {
  SCOPED_TRACE(what);
  ASSERT_EQ(actual.frames, expected.frames);
  ASSERT_EQ(actual.values.size(), expected.values.size());
  expect_close(actual, expected, relative);
}

}  // namespace

Outcome run_on_device(const op::Operator& op, const Value& params, const StreamInfo& stream,
                      const Samples& in, compute::Device& device, const Cuts& cuts) {
  BoundStep bound = bind(op, params, stream);
  const Buffer data = formed(bound, stream, in);
  fit(bound, data.block(), cuts);
  const auto queue = device.make_queue();
  const op::DevicePlace place{device, *queue};
  Outcome outcome;
  outcome.samples.channels = bound.step->ports().front().stream.channel_count();
  std::int64_t first = 0;
  std::int64_t next = 0;
  for (std::size_t index = 0; index < bound.in.segments.size(); ++index) {
    const std::int64_t frames = bound.in.segments[index].frames;
    next = run_segment(bound, place, index, data.block().slice(first, frames), cuts, next, outcome);
    first += frames;
  }
  return outcome;
}

void check_device(const op::Operator& op, const Value& params, const StreamInfo& stream,
                  double relative) {
  for (const char* target : {"host", "opencl"}) {
    const auto device = device_or_skip(target);
    if (device == nullptr) {
      continue;
    }
    for (const std::int64_t channels : {1, 37, 384}) {
      const auto shaped = reshaped(stream, channels, {0, 1, 263, 2}, stream.type);
      const Samples in = probe_samples(shaped);
      const auto what = fmt::format("{} on {}, {} channels", op.name(), target, channels);
      const auto whole = run_on_device(op, params, shaped, in, *device);
      compare(whole.samples, run_operator(op, params, shaped, in).samples, relative, what);
      expect_identical(
          run_on_device(op, params, shaped, in, *device, {.frames = {1, 97, 31}}).samples,
          whole.samples, what + ", cut");
    }
  }
}

}  // namespace weir::testing
