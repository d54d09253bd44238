#include "weir/testing/bound_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "weir/core/temporary_file.h"
#include "weir/op/run_step.h"

namespace weir::testing {
namespace {
/// Calls `body(T{})` with the sample type's C++ type.
template <class Body>
void with_type(SampleType type, Body&& body) {
  switch (type) {
    case SampleType::int16:
      return body(std::int16_t{});
    case SampleType::int32:
      return body(std::int32_t{});
    case SampleType::float32:
      return body(float{});
    case SampleType::float64:
      return body(double{});
    case SampleType::complex64:
      break;
  }
  throw Error(ErrorCode::unsupported, "the conformance suite knows no complex streams yet");
}

template <class T>
T useless() {
  return std::numeric_limits<T>::has_quiet_NaN ? std::numeric_limits<T>::quiet_NaN()
                                               : static_cast<T>(-1);
}
}  // namespace

BoundStep bind(const op::Operator& op, const Value& params, const StreamInfo& stream,
               std::optional<GivenEvents> events) {
  const op::InputForm form = op.input_form(params, stream);
  const bool integers = form.type == SampleType::int16 || form.type == SampleType::int32;
  if (integers && stream.type != SampleType::int16 && stream.type != form.type) {
    throw Error(ErrorCode::invalid_spec, fmt::format("{} asks for {} of a stream of {}", op.name(),
                                                     name(form.type), name(stream.type)));
  }
  BoundStep bound{stream, nullptr};
  bound.in.type = form.type;
  for (auto& channel : bound.in.channels) {
    const double shift = form.zero_based ? channel.offset / channel.gain : 0;
    if (integers && shift != std::nearbyint(shift)) {
      throw Error(
          ErrorCode::invalid_spec,
          fmt::format("{} asks for integers from 0 of channel {}, whose offset is {} counts",
                      op.name(), channel.name, shift));
    }
    channel.offset = form.zero_based ? 0 : channel.offset;
  }
  op::StepContext context{.in = bound.in, .temporary_folder = temporary_folder({})};
  if (events) {
    context.events = events->input;
  }
  bound.step = op.plan(params, context);
  bound.events = std::move(events);
  return bound;
}

std::unique_ptr<ListFeed> feed_of(const BoundStep& bound, std::int64_t segment) {
  return bound.events && bound.step->hears()
             ? std::make_unique<ListFeed>(bound.events->segments[static_cast<std::size_t>(segment)],
                                          bound.events->input.lag_frames)
             : nullptr;
}

void add_counters(const std::vector<op::Counter>& counters, Outcome& outcome) {
  for (const auto& counter : counters) {
    const auto same = std::find_if(outcome.counters.begin(), outcome.counters.end(),
                                   [&](const auto& c) { return c.what == counter.what; });
    if (same == outcome.counters.end()) {
      outcome.counters.push_back(counter);
    } else {
      same->count += counter.count;
    }
  }
}

Buffer formed(const BoundStep& bound, const StreamInfo& stream, const Samples& in) {
  Buffer buffer(bound.in.type, in.frames, in.channels);
  with_type(bound.in.type, [&](auto sample) {
    using T = decltype(sample);
    const Block<T> rows = buffer.as<T>();
    for (std::int64_t frame = 0; frame < in.frames; ++frame) {
      std::fill(rows.row(frame) + in.channels, rows.row(frame) + rows.stride(), useless<T>());
      for (std::int64_t channel = 0; channel < in.channels; ++channel) {
        const auto& was = stream.channels[static_cast<std::size_t>(channel)];
        const auto& now = bound.in.channels[static_cast<std::size_t>(channel)];
        const auto shift = static_cast<float>((was.offset - now.offset) / was.gain);
        rows(frame, channel) = static_cast<T>(in(frame, channel) + shift);
      }
    }
  });
  return buffer;
}

void for_each_cut(const Cuts& cuts, std::int64_t frames,
                  const std::function<void(std::int64_t, std::int64_t)>& visit) {
  if (cuts.frames.empty() && frames > 0) {
    visit(0, frames);
    return;
  }
  std::size_t turn = 0;
  for (std::int64_t first = 0; first < frames;) {
    const std::int64_t wanted = cuts.frames[turn++ % cuts.frames.size()];
    const std::int64_t count = std::min(std::max<std::int64_t>(1, wanted), frames - first);
    visit(first, count);
    first += count;
  }
}

void append_rows(AnyBlock block, std::int64_t frame, std::int64_t first_channel, Samples& samples) {
  if (frame + block.frames() > samples.frames) {
    samples.frames = frame + block.frames();
    samples.values.resize(static_cast<std::size_t>(samples.frames * samples.channels));
  }
  with_type(block.type(), [&](auto sample) {
    using T = decltype(sample);
    const Block<T> rows = block.as<T>();
    for (std::int64_t row = 0; row < block.frames(); ++row) {
      for (std::int64_t channel = 0; channel < block.channels(); ++channel) {
        samples(frame + row, first_channel + channel) = static_cast<float>(rows(row, channel));
      }
    }
  });
}

void for_each_group(const BoundStep& bound, AnyBlock data, const Cuts& cuts, Outcome& outcome,
                    const RunGroup& run) {
  const op::Port& port = bound.step->ports().front();
  const bool grouped = cuts.group_channels > 0 && bound.step->parallel() == op::Parallel::channels;
  const std::int64_t channels = bound.in.channel_count();
  const std::int64_t group = grouped ? cuts.group_channels : channels;
  outcome.samples.channels =
      port.kind == op::PortKind::events ? std::int64_t{0} : port.stream.channel_count();
  std::int64_t first_in = 0;
  std::int64_t first_out = 0;
  for (std::size_t segment = 0; segment < bound.in.segments.size(); ++segment) {
    const std::int64_t frames = bound.in.segments[segment].frames;
    const auto first_event = static_cast<std::ptrdiff_t>(outcome.events.size());
    std::int64_t end = first_out;
    for (std::int64_t first = 0; first < channels; first += group) {
      const std::int64_t count = std::min(group, channels - first);
      end = run({static_cast<std::int64_t>(segment), 0, first, count},
                data.slice(first_in, frames).columns(first, count), first_out);
    }
    std::stable_sort(outcome.events.begin() + first_event, outcome.events.end(), row_before);
    first_in += frames;
    first_out = end;
  }
}

void fit(BoundStep& bound, AnyBlock data, const Cuts& cuts) {
  if (bound.step->fit() == op::Fit::none) {
    return;
  }
  const op::FlushToZero guard;
  const auto fitter = bound.step->fitter();
  WEIR_CHECK(fitter != nullptr);
  std::int64_t start = 0;
  for (const auto& segment : bound.in.segments) {
    for_each_cut(cuts, segment.frames, [&](std::int64_t first, std::int64_t count) {
      fitter->add(data.slice(start + first, count));
    });
    start += segment.frames;
  }
  bound.step = bound.step->fitted(op::finish_alone(*fitter));
  WEIR_CHECK(bound.step != nullptr);
}

}  // namespace weir::testing
