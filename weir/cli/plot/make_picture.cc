#include "weir/cli/plot/make_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "weir/cli/plot/envelope.h"
#include "weir/core/buffer.h"
#include "weir/core/error.h"
#include "weir/core/text.h"

namespace weir::cli {
namespace {
constexpr double kLongestDefault = 10;  // seconds
constexpr double kFramesDefault = 30'000;
constexpr double kRowShare = 0.8;  // of a row that the usual swing of a channel fills
constexpr std::int64_t kBlockFrames = 16'384;

/// The stretch of the recording's clock a picture spans.
struct Range {
  double start_s = 0;
  double duration_s = 0;

  std::int64_t frames(const SampleRate& rate) const {
    return std::max<std::int64_t>(1, std::llround(duration_s * rate.hz()));
  }
};

double end_of(const RecordingInfo& info) {
  const Segment& last = info.segments.back();
  return last.start_s.to_double() + info.rate.seconds(last.frames);
}

/// Along frequency: all of the first spectrum, Hz for seconds.
Range range_of_spectrum(const RecordingInfo& info, const PictureOptions& options) {
  if (options.start_s || options.duration_s) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("{}: the rows of {} run along frequency, not time",
                            options.start_s ? "start_s" : "duration_s", info.name));
  }
  return {0, info.rate.seconds(info.segments.front().frames)};
}

Range range_of(const PictureLayer& layer, const PictureOptions& options) {
  const RecordingInfo& info = layer.source->info();
  const bool timed = info.axis == Axis::time_s;
  const std::int64_t frames = timed ? info.total_frames() : info.segments.at(0).frames;
  if (frames == 0 || layer.channels.empty()) {
    throw Error(ErrorCode::invalid_spec, fmt::format("{}: has no samples to plot", info.name));
  }
  if (!timed) {
    return range_of_spectrum(info, options);
  }
  const double first = info.segments.front().start_s.to_double();
  const double end = end_of(info);
  Range range;
  range.start_s = options.start_s.value_or(first);
  const double longest = std::min(kLongestDefault, kFramesDefault / info.rate.hz());
  range.duration_s = options.duration_s.value_or(longest);
  if (range.start_s < first || range.start_s >= end) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("start_s: {} s is not within the recording, {} s to {} s",
                            range.start_s, first, end));
  }
  range.duration_s = std::min(range.duration_s, end - range.start_s);
  return range;
}

Envelope read_envelope(const PictureLayer& layer, const Range& range, std::int64_t columns) {
  const RecordingInfo& info = layer.source->info();
  const auto channels = static_cast<std::int64_t>(layer.channels.size());
  const std::int64_t frames = range.frames(info.rate);
  Envelope envelope(columns, channels);
  const Buffer buffer(SampleType::float32, kBlockFrames, channels);
  const bool timed = info.axis == Axis::time_s;
  for (std::size_t s = 0; s < (timed ? info.segments.size() : 1); ++s) {
    const Segment& segment = info.segments[s];
    // Where the segment's first frame lies among the picture's frames.
    const std::int64_t offset =
        timed ? std::llround((segment.start_s.to_double() - range.start_s) * info.rate.hz()) : 0;
    const std::int64_t first = std::max<std::int64_t>(0, -offset);
    const std::int64_t end = std::min(segment.frames, frames - offset);
    for (std::int64_t at = first; at < end; at += kBlockFrames) {
      const auto rows = buffer.first(std::min(kBlockFrames, end - at)).as<float>();
      layer.source->read(static_cast<std::int64_t>(s), at, layer.channels, rows);
      envelope.add(rows, at + offset, frames);
    }
  }
  return envelope;
}

float middle(std::vector<float> values) {
  values.erase(std::remove_if(values.begin(), values.end(), [](float v) { return std::isnan(v); }),
               values.end());
  if (values.empty()) {
    return 0;
  }
  const auto half = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), half, values.end());
  return *half;
}

/// Powers span more than a linear row can show. What has no unit, such as a coherence, stays.
Channel in_decibels(Trace& trace, const Channel& channel) {
  for (auto* edge : {&trace.low, &trace.high}) {
    for (float& value : *edge) {
      const double power = value * channel.gain + channel.offset;
      value = power > 0 ? static_cast<float>(10 * std::log10(power)) : NAN;
    }
  }
  Channel shown;
  shown.name = channel.name;
  shown.unit = "dB";
  return shown;
}

/// The count where a row stands.
float zero_of(const Trace& trace, const Channel& channel, const PictureOptions& options) {
  if (options.at_zero) {
    return static_cast<float>(channel.gain == 0 ? 0 : -channel.offset / channel.gain);
  }
  std::vector<float> centres(trace.low.size());
  for (std::size_t i = 0; i < centres.size(); ++i) {
    centres[i] = 0.5F * (trace.low[i] + trace.high[i]);
  }
  return middle(centres);
}

/// Counts to physical units around `zero`; returns how far the channel swings.
double centre(Trace& trace, const Channel& channel, float zero) {
  const auto gain = static_cast<float>(channel.gain);
  std::vector<float> swings(trace.low.size());
  for (std::size_t i = 0; i < swings.size(); ++i) {
    const float low = gain * (trace.low[i] - zero);
    const float high = gain * (trace.high[i] - zero);
    trace.low[i] = std::fmin(low, high);  // a negative gain turns them round
    trace.high[i] = std::fmax(low, high);
    swings[i] = std::fmax(-trace.low[i], trace.high[i]);
  }
  std::erase_if(swings, [](float swing) { return std::isnan(swing); });
  std::sort(swings.begin(), swings.end());
  return swings.empty() ? 0 : swings[swings.size() * 99 / 100];
}

/// "µV" for "uV".
std::string shown_unit(const std::string& unit) {
  return unit == "uV" ? "µV" : unit;
}

/// Scales each trace to rows, channels of one unit alike, and says what the rows mean.
void scale(Picture& picture, const std::vector<std::string>& units,
           const std::vector<double>& swings) {
  std::map<std::string, std::vector<float>> by_unit;
  for (std::size_t i = 0; i < units.size(); ++i) {
    by_unit[units[i]].push_back(static_cast<float>(swings[i]));
  }
  std::map<std::string, double> per_row;
  for (const auto& [unit, values] : by_unit) {
    const double usual = middle(values);
    const double largest = *std::max_element(values.begin(), values.end());
    // The usual channel fills its row, but the largest does not cross more than two others.
    const double row = std::max({2 * usual / kRowShare, largest / 2.5, 1e-30});
    per_row[unit] = row;
    const double bar = nice_step(row);
    picture.scale_bars.push_back({bar / row, fmt::format("{:.6g} {}", bar, shown_unit(unit))});
  }
  for (std::size_t i = 0; i < picture.traces.size(); ++i) {
    const auto by = static_cast<float>(1 / per_row[units[i]]);
    for (auto* edge : {&picture.traces[i].low, &picture.traces[i].high}) {
      for (float& value : *edge) {
        value *= by;
      }
    }
  }
}

struct TickUnit {
  std::string_view name;
  double seconds;  ///< Or Hz.
};

TickUnit tick_unit(Axis axis, double length) {
  if (axis != Axis::time_s) {
    return length <= 3000 ? TickUnit{"Hz", 1} : TickUnit{"kHz", 1000};
  }
  return length <= 0.5   ? TickUnit{"ms", 0.001}
         : length <= 600 ? TickUnit{"s", 1}
                         : TickUnit{"min", 60};
}

void add_ticks(Picture& picture, const Range& range, Axis axis) {
  const TickUnit unit = tick_unit(axis, range.duration_s);
  const double step = nice_step(range.duration_s / unit.seconds / 6);
  const double first = std::ceil(range.start_s / unit.seconds / step - 1e-9);
  for (double i = first; i * step * unit.seconds <= range.start_s + range.duration_s * (1 + 1e-9);
       ++i) {
    picture.ticks.push_back({(i * step * unit.seconds - range.start_s) / range.duration_s,
                             fmt::format("{:.9g}", i * step + 0.0)});
  }
  picture.time_label =
      fmt::format("{} ({})", axis == Axis::time_s ? "time" : "frequency", unit.name);
}

void add_marks(Picture& picture, const Range& range, const std::vector<EventMark>& events) {
  for (const auto& event : events) {
    const double share = (event.time_s - range.start_s) / range.duration_s;
    // From the last: events are those of what lies on top.
    const auto trace = std::find_if(picture.traces.rbegin(), picture.traces.rend(),
                                    [&](const Trace& t) { return t.name == event.channel_name; });
    if (trace == picture.traces.rend() || share < 0 || share >= 1) {
      continue;
    }
    trace->marks.push_back(
        static_cast<std::size_t>(share * static_cast<double>(trace->low.size())));
    trace->marks_up.push_back(event.up);
  }
}

/// The row of each channel of a layer: that of its name in the first one, else its own number;
/// none past the last.
std::vector<std::size_t> rows_of(const PictureLayer& layer, const PictureLayer& first) {
  std::map<std::string_view, std::size_t> named;
  for (std::size_t i = 0; i < first.channels.size(); ++i) {
    named.emplace(first.source->info().channels[static_cast<std::size_t>(first.channels[i])].name,
                  i);
  }
  std::vector<std::size_t> rows;
  bool any = false;
  for (const std::int64_t channel : layer.channels) {
    const auto row =
        named.find(layer.source->info().channels[static_cast<std::size_t>(channel)].name);
    any = any || row != named.end();
    rows.push_back(row == named.end() ? first.channels.size() : row->second);
  }
  if (!any || &layer == &first) {
    std::iota(rows.begin(), rows.end(), std::size_t{0});
  }
  return rows;
}

/// "10 s from 0 s", "spectrum 1 of 3".
std::string stretch_text(const RecordingInfo& info, const Range& range) {
  return info.axis == Axis::time_s
             ? fmt::format("{} from {:.6g} s", duration_text(range.duration_s), range.start_s)
             : fmt::format("spectrum 1 of {}", info.segments.size());
}

/// For each trace its unit and how far it swings.
struct Drawn {
  std::vector<std::string> units;
  std::vector<double> swings;
};

void add_layer(Picture& picture, Drawn& drawn, const std::vector<PictureLayer>& layers,
               std::size_t number, const Range& range, const PictureOptions& options) {
  const PictureLayer& layer = layers[number];
  const RecordingInfo& info = layer.source->info();
  const RecordingInfo& first = layers.front().source->info();
  if (info.axis != first.axis) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("{}: its rows run along {}, those of {} along {}", info.name,
                            name(info.axis), first.name, name(first.axis)));
  }
  const std::int64_t frames = range.frames(info.rate);
  const Envelope envelope =
      read_envelope(layer, range, std::min<std::int64_t>(frames, options.width));
  const auto rows = rows_of(layer, layers.front());
  for (std::size_t i = 0; i < layer.channels.size(); ++i) {
    if (rows[i] >= picture.rows) {
      continue;
    }
    const Channel& stored = info.channels[static_cast<std::size_t>(layer.channels[i])];
    Trace trace{.name = stored.name,
                .row = rows[i],
                .layer = number,
                .low = envelope.low(static_cast<std::int64_t>(i)),
                .high = envelope.high(static_cast<std::int64_t>(i)),
                .at = frames > options.width ? 0.5 : 0,
                .marks = {},
                .marks_up = {}};
    const bool power = info.axis != Axis::time_s && !stored.unit.empty();
    const Channel channel = power ? in_decibels(trace, stored) : stored;
    drawn.swings.push_back(centre(trace, channel, zero_of(trace, channel, options)));
    drawn.units.push_back(channel.unit);
    picture.traces.push_back(std::move(trace));
  }
}
}  // namespace

double nice_step(double value) {
  const double power = std::pow(10.0, std::floor(std::log10(value) + 1e-12));
  const double lead = value / power + 1e-9;
  return power * (lead >= 5 ? 5 : lead >= 2 ? 2 : 1);
}

Picture make_picture(const std::vector<PictureLayer>& layers, const PictureOptions& options,
                     const std::vector<EventMark>& events) {
  const PictureLayer& first = layers.front();
  const RecordingInfo& info = first.source->info();
  const Range range = range_of(first, options);
  Picture picture;
  picture.width = options.width;
  picture.rows = first.channels.size();
  const auto rows = static_cast<int>(picture.rows);
  picture.height = options.height > 0 ? options.height : std::clamp(170 + 36 * rows, 420, 1400);
  Drawn drawn;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    add_layer(picture, drawn, layers, i, range, options);
    if (layers.size() > 1) {
      picture.layers.push_back(layers[i].name);
    }
  }
  scale(picture, drawn.units, drawn.swings);
  add_ticks(picture, range, info.axis);
  add_marks(picture, range, events);
  picture.title = options.title.empty() ? info.name : options.title;
  picture.subtitle =
      fmt::format("{} of {} channels  ·  {}  ·  {}", grouped(rows), grouped(info.channel_count()),
                  rows_text(info.axis, info.rate), stretch_text(info, range));
  return picture;
}

}  // namespace weir::cli
