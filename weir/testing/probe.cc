#include "weir/testing/probe.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "weir/signal/generate/counter_random.h"

namespace weir::testing {

AnyBlock Probe::segment(std::size_t index) const {
  std::int64_t first = 0;
  for (std::size_t i = 0; i < index; ++i) {
    first += stream.segments[i].frames;
  }
  return data.block().slice(first, stream.segments[index].frames);
}

std::int64_t Probe::reach() const {
  const op::Latency latency = bound.step->latency();
  return std::max(latency.at_start, latency.steady);
}

StreamInfo reshaped(const StreamInfo& stream, std::int64_t channels,
                    const std::vector<std::int64_t>& segment_frames, SampleType type) {
  StreamInfo result = stream;
  result.type = type;
  result.channels.clear();
  const auto known = static_cast<std::int64_t>(stream.channels.size());
  for (std::int64_t i = 0; i < channels; ++i) {
    Channel channel = stream.channels[static_cast<std::size_t>(i % known)];
    if (i >= known) {
      channel.name += fmt::format("_{}", i / known);
      channel.source_index = i;
      if (channel.position) {
        const std::int64_t round = i / known;
        (*channel.position)[1] += 10'000.0 * static_cast<double>(round);
      }
    }
    result.channels.push_back(channel);
  }
  result.segments.clear();
  std::int64_t index = 0;
  for (const std::int64_t frames : segment_frames) {
    Segment segment;
    segment.frames = frames;
    segment.start_s = Rational(index * 1000);
    segment.index = index++;
    result.segments.push_back(segment);
  }
  return result;
}

Samples probe_samples(const StreamInfo& stream) {
  Samples samples{0, stream.channel_count(), {}};
  const std::uint64_t key = signal::key_of(20, 26);
  const bool whole = stream.type != SampleType::float32 && stream.type != SampleType::float64;
  for (const auto& segment : stream.segments) {
    for (std::int64_t frame = 0; frame < segment.frames; ++frame) {
      for (std::int64_t channel = 0; channel < samples.channels; ++channel) {
        const auto index = static_cast<std::uint64_t>(frame * 1024 + channel);
        // A triangle wave: exact on every machine, unlike a sine.
        const auto wave = static_cast<double>(std::abs((frame + 5 * channel) % 400 - 200) - 100);
        const double value = 50 * signal::normal(key, index) + wave + 10;
        samples.values.push_back(static_cast<float>(whole ? std::nearbyint(value) : value));
      }
    }
    samples.frames += segment.frames;
  }
  return samples;
}

std::optional<GivenEvents> events_for(const op::Operator& op, const StreamInfo& stream,
                                      const ConformanceOptions& options) {
  const bool given = op.takes_events() == op::TakesEvents::always ||
                     (op.takes_events() == op::TakesEvents::if_given && options.with_events);
  constexpr std::int64_t kLag = 37;
  if (!given) {
    return std::nullopt;
  }
  GivenEvents events = probe_events(stream, kLag);
  if (options.events_known) {
    events.input.known = std::make_shared<const std::vector<EventList>>(events.segments);
  }
  return events;
}

Probe make_probe(const op::Operator& op, const Value& params, const StreamInfo& stream,
                 const ConformanceOptions& options) {
  Probe probe{op,
              params,
              options,
              stream,
              probe_samples(stream),
              fmt::format("{} channels of {}", stream.channel_count(), name(stream.type)),
              bind(op, params, stream, events_for(op, stream, options)),
              {},
              {}};
  probe.data = formed(probe.bound, stream, probe.in);
  fit(probe.bound, probe.data.block(), {});
  return probe;
}

namespace {
std::string samples_difference(const Samples& actual, const Samples& expected) {
  if (actual.frames != expected.frames || actual.channels != expected.channels) {
    return fmt::format("{} x {} samples instead of {} x {}", actual.frames, actual.channels,
                       expected.frames, expected.channels);
  }
  for (std::size_t i = 0; i < expected.values.size(); ++i) {
    if (std::bit_cast<std::uint32_t>(actual.values[i]) !=
        std::bit_cast<std::uint32_t>(expected.values[i])) {
      const auto at = static_cast<std::int64_t>(i);
      return fmt::format("frame {}, channel {} is {} instead of {}", at / expected.channels,
                         at % expected.channels, actual.values[i], expected.values[i]);
    }
  }
  return {};
}

std::string events_difference(const EventList& actual, const EventList& expected) {
  const std::size_t common = std::min(actual.size(), expected.size());
  for (std::size_t i = 0; i < common; ++i) {
    if (!(actual[i] == expected[i])) {
      return fmt::format("event {} has channel {}, onset {}, peak {} instead of {}, {}, {}", i,
                         actual[i].channel, actual[i].onset, actual[i].peak_value,
                         expected[i].channel, expected[i].onset, expected[i].peak_value);
    }
  }
  return actual.size() == expected.size()
             ? std::string()
             : fmt::format("{} events instead of {}", actual.size(), expected.size());
}
}  // namespace

std::string difference(const Outcome& actual, const Outcome& expected) {
  if (auto text = samples_difference(actual.samples, expected.samples); !text.empty()) {
    return text;
  }
  if (auto text = events_difference(actual.events, expected.events); !text.empty()) {
    return text;
  }
  for (const auto& counter : expected.counters) {
    const auto same = std::find_if(actual.counters.begin(), actual.counters.end(),
                                   [&](const auto& c) { return c.what == counter.what; });
    const std::int64_t count = same == actual.counters.end() ? 0 : same->count;
    if (count != counter.count) {
      return fmt::format("{} {} instead of {}", count, counter.what, counter.count);
    }
  }
  return {};
}

double relative_error(const Samples& actual, const Samples& expected) {
  constexpr double kWrong = std::numeric_limits<double>::infinity();
  if (actual.values.size() != expected.values.size()) {
    return kWrong;
  }
  double full_scale = 1e-30;
  double worst = 0;
  for (std::size_t i = 0; i < expected.values.size(); ++i) {
    const double is = actual.values[i];
    const double should = expected.values[i];
    if (std::isfinite(is) && std::isfinite(should)) {
      full_scale = std::max(full_scale, std::fabs(should));
      worst = std::max(worst, std::fabs(is - should));
    } else if (!(std::isnan(is) && std::isnan(should)) && is != should) {
      return kWrong;
    }
  }
  return worst / full_scale;
}

}  // namespace weir::testing
