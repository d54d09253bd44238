#include "weir/signal/ops/snippets/snippets.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "weir/signal/channel_list.h"
#include "weir/signal/ops/snippets/snippets_cl.h"
#include "weir/signal/ops/snippets/snippets_internal.h"

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
std::vector<std::vector<std::int32_t>> picks_of(const Snippets& params,
                                                const op::StepContext& context) {
  const auto own = channels_of_events(*context.events, context.in);
  std::vector<std::int64_t> every(context.in.channels.size());
  std::iota(every.begin(), every.end(), std::int64_t{0});
  const bool near = params.channels == SnippetChannels::radius;
  const Positions positions =
      near ? positions_of(every, context.in, "radius_um: neighbours") : Positions();
  std::vector<std::vector<std::int32_t>> picks;
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
  return make_snippet_step(std::move(plan), context.in, std::move(columns));
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
           .device = kernels::kSnippets,
           .takes_events = op::TakesEvents::always});
  return *kMade;
}

}  // namespace weir::signal
