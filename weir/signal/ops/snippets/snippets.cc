#include "weir/signal/ops/snippets/snippets.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "weir/signal/channel_list.h"
#include "weir/signal/past_rows.h"

namespace weir::signal {

static std::span<const op::EnumName<SnippetChannels>> names_of(SnippetChannels) {
  static constexpr std::array<op::EnumName<SnippetChannels>, 3> kNames{
      {{"all", SnippetChannels::all},
       {"own", SnippetChannels::own},
       {"radius", SnippetChannels::radius}}};
  return kNames;
}

static std::span<const op::EnumName<SnippetEdge>> names_of(SnippetEdge) {
  static constexpr std::array<op::EnumName<SnippetEdge>, 2> kNames{
      {{"skip", SnippetEdge::skip}, {"zero", SnippetEdge::zero}}};
  return kNames;
}

namespace {
/// Channels of the signal by channel of the events; empty where every channel is wanted.
using Picks = std::vector<std::vector<std::int32_t>>;

struct SnippetPlan {
  EventWindow window;
  SnippetEdge edge = SnippetEdge::skip;
  Picks picks;
  std::vector<float> gain;  ///< Of each channel to the unit of a column, with `picks`.
};

struct SnippetState final : op::State {
  SnippetState(const SnippetPlan& plan, const op::StartPoint& at, std::int64_t segment_frames,
               std::int64_t width)
      : frames(segment_frames),
        past(plan.window.rows_behind(), at.channel_count, at.first_frame),
        snippet(SampleType::float32, plan.window.frames(), width) {}
  std::vector<op::Counter> counters() const override {
    return {{"events without a snippet: longer than longest_event_s", too_long},
            {"events without a snippet: it would reach over an end of the segment", cut}};
  }
  std::int64_t frames;  ///< Of the segment.
  PastRows past;
  Buffer snippet;
  EventQueue queue;
  std::int64_t too_long = 0;
  std::int64_t cut = 0;
};

class SnippetStep final : public op::Step {
 public:
  SnippetStep(SnippetPlan plan, StreamInfo in, std::vector<Channel> channels)
      : plan_(std::move(plan)), all_(in.channel_count()), segments_(in.segments) {
    in.channels = std::move(channels);
    in.type = SampleType::float32;
    ports_.push_back({.name = "snippets",
                      .kind = op::PortKind::snippets,
                      .stream = std::move(in),
                      .snippet_frames = plan_.window.frames(),
                      .snippet_before_frames = plan_.window.before});
  }

  const std::vector<op::Port>& ports() const noexcept override { return ports_; }
  op::Parallel parallel() const noexcept override { return op::Parallel::none; }
  op::Latency latency() const noexcept override {
    return {plan_.window.known_after(), plan_.window.known_after()};
  }
  std::int64_t settle_frames() const noexcept override { return plan_.window.rows_behind(); }
  std::int64_t max_output(std::int64_t) const noexcept override { return 0; }
  double tolerance() const noexcept override { return 1e-7; }
  std::size_t state_bytes(std::int64_t channels) const noexcept override {
    constexpr std::size_t kWaiting = 4096 * sizeof(Event);
    return PastRows::bytes_for(plan_.window.rows_behind(), channels) +
           Buffer::bytes_for(SampleType::float32, plan_.window.frames(), width()) + kWaiting;
  }
  std::vector<std::string> decisions() const override {
    return {fmt::format("{} frames around the {} of each event ({} before), {} channels",
                        plan_.window.frames(),
                        plan_.window.align == EventAlign::peak ? "peak" : "onset",
                        plan_.window.before, width()),
            fmt::format("{} rows are kept until events are known", plan_.window.rows_behind())};
  }

  std::unique_ptr<op::State> start(const op::StartPoint& at) const override {
    return std::make_unique<SnippetState>(
        plan_, at, segments_[static_cast<std::size_t>(at.segment)].frames, width());
  }
  bool hears() const noexcept override { return true; }
  void hear(op::State& state, std::span<const Event> events) const override {
    auto& own = static_cast<SnippetState&>(state);
    for (const Event& event : events) {
      const std::int64_t anchor = plan_.window.anchor(event);
      const bool whole =
          anchor - plan_.window.before >= 0 && anchor + plan_.window.after <= own.frames;
      if (plan_.window.too_long(event)) {
        ++own.too_long;
      } else if (plan_.edge == SnippetEdge::skip && !whole) {
        ++own.cut;
      } else {
        own.queue.push(event);
      }
    }
  }
  void run(op::State& state, AnyBlock in, std::span<op::Emission> out) const override {
    auto& own = static_cast<SnippetState&>(state);
    const Block<const float> rows = in.as<float>();
    emit(own, rows, own.past.next() + rows.frames(), *out[0].snippets);
    own.past.push(rows);
  }
  bool finish(op::State& state, std::span<op::Emission> out) const override {
    auto& own = static_cast<SnippetState&>(state);
    own.frames = std::min(own.frames, own.past.next());
    emit(own, {}, own.past.next(), *out[0].snippets);
    return true;
  }
  void save(const op::State& state, op::ByteWriter& to) const override {
    const auto& own = static_cast<const SnippetState&>(state);
    own.past.save(to);
    own.queue.save(to);
    to.put(own.too_long);
    to.put(own.cut);
  }
  void load(op::State& state, op::ByteReader& from) const override {
    auto& own = static_cast<SnippetState&>(state);
    own.past.load(from);
    own.queue.load(from);
    own.too_long = from.get<std::int64_t>();
    own.cut = from.get<std::int64_t>();
  }

 private:
  std::int64_t width() const noexcept { return ports_.front().stream.channel_count(); }

  /// The snippets whose last row has come, in the order of their events.
  void emit(SnippetState& own, Block<const float> in, std::int64_t known,
            op::SnippetReceiver& to) const {
    while (!own.queue.empty()) {
      const Event& event = own.queue.front();
      const std::int64_t anchor = plan_.window.anchor(event);
      if (std::min(anchor + plan_.window.after, own.frames) > known) {
        return;
      }
      cut(own, in, anchor - plan_.window.before, event);
      to.snippet(event, own.snippet.block());
      own.queue.pop();
    }
  }

  void cut(const SnippetState& own, Block<const float> in, std::int64_t first,
           const Event& event) const {
    const Block<float> to = own.snippet.as<float>();
    for (std::int64_t row = 0; row < to.frames(); ++row) {
      const std::int64_t frame = first + row;
      if (frame < own.past.first() || frame >= own.frames) {
        std::fill_n(to.row(row), to.channels(), 0.0F);
      } else {
        pick(own.past.row(frame, in), event, to.row(row));
      }
    }
  }

  void pick(const float* from, const Event& event, float* to) const {
    if (plan_.picks.empty()) {
      std::copy_n(from, all_, to);
      return;
    }
    const auto& picks = plan_.picks[static_cast<std::size_t>(event.channel)];
    std::size_t column = 0;
    for (; column < picks.size(); ++column) {
      const auto channel = static_cast<std::size_t>(picks[column]);
      to[column] = from[channel] * plan_.gain[channel];
    }
    std::fill(to + column, to + width(), 0.0F);
  }

  SnippetPlan plan_;
  std::int64_t all_;
  std::vector<Segment> segments_;
  std::vector<op::Port> ports_;
};

/// The window's ends by either name.
EventWindowFields window_fields(const Snippets& params) {
  const auto either = [](const std::optional<double>& seconds, const std::optional<double>& ms,
                         const char* name, const char* ms_name, double fallback) {
    if (seconds && ms) {
      throw Error(ErrorCode::invalid_spec,
                  fmt::format("{}: is given as {} too; use one of them", name, ms_name));
    }
    return ms ? *ms / 1000 : seconds.value_or(fallback);
  };
  return {.pre_s = either(params.pre_s, params.ms_before, "pre_s", "ms_before", 0.001),
          .post_s = either(params.post_s, params.ms_after, "post_s", "ms_after", 0.002),
          .align = params.align,
          .longest_event_s = params.longest_event_s};
}

/// For each channel of the events: itself, and its neighbours with `radius_um`.
Picks picks_of(const Snippets& params, const op::StepContext& context) {
  const auto own = channels_of_events(*context.events, context.in);
  std::vector<std::int64_t> every(context.in.channels.size());
  std::iota(every.begin(), every.end(), std::int64_t{0});
  const bool near = params.channels == SnippetChannels::radius;
  const Positions positions =
      near ? positions_of(every, context.in, "radius_um: neighbours") : Positions();
  Picks picks;
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (own[i] < 0) {
      throw Error(ErrorCode::invalid_spec,
                  fmt::format("channels: events are found on channel \"{}\", which the signal does "
                              "not have; take all",
                              context.events->stream.channels[i].name));
    }
    picks.push_back({own[i]});
    if (!near) {
      continue;
    }
    const auto centre = static_cast<std::size_t>(own[i]);
    for (const std::int64_t other : nearest_first(positions, centre)) {
      const auto at = static_cast<std::size_t>(other);
      if (at != centre && distance_um(positions[centre], positions[at]) <= *params.radius_um) {
        picks.back().push_back(static_cast<std::int32_t>(other));
      }
    }
  }
  return picks;
}

/// What a column is that has now this channel, now that: counts where all have one gain, else
/// physical values, to which `factor` takes each channel.
Channel column_channel(const std::vector<Channel>& channels, std::vector<float>& factor) {
  const auto alike = [&](const Channel& channel) {
    return channel.gain == channels.front().gain && channel.unit == channels.front().unit;
  };
  const bool counts = std::all_of(channels.begin(), channels.end(), alike);
  for (const Channel& channel : channels) {
    factor.push_back(counts ? 1.0F : static_cast<float>(channel.gain));
  }
  Channel column;
  column.gain = counts && !channels.empty() ? channels.front().gain : 1;
  column.unit = channels.empty() ? std::string() : channels.front().unit;
  return column;
}

std::unique_ptr<op::Step> plan(const Snippets& params, const op::StepContext& context) {
  if ((params.channels == SnippetChannels::radius) != params.radius_um.has_value()) {
    throw Error(ErrorCode::invalid_spec,
                "radius_um: belongs to channels = \"radius\", which needs it");
  }
  SnippetPlan plan;
  plan.window = make_event_window(window_fields(params), context);
  plan.edge = params.edge;
  std::vector<Channel> columns = context.in.channels;
  if (params.channels != SnippetChannels::all) {
    plan.picks = picks_of(params, context);
    std::size_t width = 1;
    for (const auto& picks : plan.picks) {
      width = std::max(width, picks.size());
    }
    const Channel like = column_channel(context.in.channels, plan.gain);
    columns = make_channels(static_cast<std::int64_t>(width), like.gain, 0, like.unit);
    for (std::size_t c = 0; c < width; ++c) {
      columns[c].name = c == 0 ? std::string("own") : fmt::format("neighbour {}", c);
    }
  }
  return std::make_unique<SnippetStep>(std::move(plan), context.in, std::move(columns));
}
}  // namespace

const op::Operator& snippets_operator() {
  using op::field;
  static const auto kMade =
      op::make_operator<Snippets>(
          {.name = "snippets",
           .summary = "Stretches of a signal around events: waveforms, responses to stimuli.",
           .schema =
               op::Schema<Snippets>{
                   field("pre_s", &Snippets::pre_s,
                         {.unit = "s", .min = -1e6, .max = 1e6, .doc = "Before the event; 0.001."}),
                   field("post_s", &Snippets::post_s,
                         {.unit = "s",
                          .min = -1e6,
                          .max = 1e6,
                          .doc = "From the event on, its own sample included; 0.002."}),
                   field("ms_before", &Snippets::ms_before,
                         {.unit = "ms",
                          .min = -1e9,
                          .max = 1e9,
                          .doc = "pre_s in ms, instead of it."}),
                   field("ms_after", &Snippets::ms_after,
                         {.unit = "ms",
                          .min = -1e9,
                          .max = 1e9,
                          .doc = "post_s in ms, instead of it."}),
                   field(
                       "align", &Snippets::align,
                       {.doc = "The event's sample that stands at pre_s: its peak or its onset."}),
                   field("channels", &Snippets::channels,
                         {.doc = "All; the event's own; or radius: its own and those within "
                                 "radius_um, the nearest first."}),
                   field("radius_um", &Snippets::radius_um,
                         {.unit = "um", .min = 0, .max = 1e9, .doc = "For channels = radius."}),
                   field(
                       "edge", &Snippets::edge,
                       {.doc = "Windows over an end of their segment: skip counts them, zero fills "
                               "what is missing."}),
                   field("longest_event_s", &Snippets::longest_event_s,
                         {.unit = "s",
                          .min = 0,
                          .max = 1e6,
                          .doc = "From the aligned sample to the event's end; longer ones are "
                                 "counted and left out."})},
           .plan = plan,
           .takes_events = op::TakesEvents::always});
  return *kMade;
}

}  // namespace weir::signal
