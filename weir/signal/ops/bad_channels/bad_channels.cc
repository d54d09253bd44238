#include "weir/signal/ops/bad_channels/bad_channels.h"

#include <fmt/format.h>

#include <array>

#include "weir/signal/channel_matrix.h"
#include "weir/signal/ops/bad_channels/bad_channels_internal.h"

namespace weir::signal {

std::span<const op::EnumName<BadChannelMethod>> names_of(BadChannelMethod) {
  static constexpr std::array<op::EnumName<BadChannelMethod>, 3> kNames{
      {{"coherence+psd", BadChannelMethod::coherence_psd},
       {"std", BadChannelMethod::std},
       {"mad", BadChannelMethod::mad}}};
  return kNames;
}
std::span<const op::EnumName<BadChannelAction>> names_of(BadChannelAction) {
  static constexpr std::array<op::EnumName<BadChannelAction>, 3> kNames{
      {{"interpolate", BadChannelAction::interpolate},
       {"zero", BadChannelAction::zero},
       {"mark", BadChannelAction::mark}}};
  return kNames;
}
std::span<const op::EnumName<OutsideAction>> names_of(OutsideAction) {
  static constexpr std::array<op::EnumName<OutsideAction>, 2> kNames{
      {{"mark", OutsideAction::mark}, {"zero", OutsideAction::zero}}};
  return kNames;
}
std::span<const op::EnumName<DepthAxis>> names_of(DepthAxis) {
  static constexpr std::array<op::EnumName<DepthAxis>, 3> kNames{
      {{"x", DepthAxis::x}, {"y", DepthAxis::y}, {"z", DepthAxis::z}}};
  return kNames;
}
std::span<const op::EnumName<OutsideEnd>> names_of(OutsideEnd) {
  static constexpr std::array<op::EnumName<OutsideEnd>, 3> kNames{
      {{"top", OutsideEnd::top}, {"bottom", OutsideEnd::bottom}, {"both", OutsideEnd::both}}};
  return kNames;
}
std::span<const op::EnumName<ChannelLabel>> names_of(ChannelLabel) {
  static constexpr std::array<op::EnumName<ChannelLabel>, 4> kNames{{{"good", ChannelLabel::good},
                                                                     {"dead", ChannelLabel::dead},
                                                                     {"noise", ChannelLabel::noise},
                                                                     {"out", ChannelLabel::out}}};
  return kNames;
}

namespace {
const op::Schema<BadChannels>& schema() {
  using op::field;
  static const op::Schema<BadChannels> kFields{
      field("method", &BadChannels::method,
            {.doc = "coherence+psd: by likeness to the other channels and power near Nyquist; std, "
                    "mad: by the spread of each channel."}),
      field("action", &BadChannels::action,
            {.doc =
                 "What becomes of dead and noisy channels; mark lets them pass, their labels stand "
                 "in the provenance."}),
      field("outside", &BadChannels::outside,
            {.doc = "What becomes of channels outside of the tissue."}),
      field("std_mad_threshold", &BadChannels::std_mad_threshold,
            {.min = 0,
             .above_min = true,
             .doc = "std, mad: noisy above this many times the median spread."}),
      field("psd_hf_threshold", &BadChannels::psd_hf_threshold,
            {.unit = "uV^2/Hz", .min = 0, .doc = "Noisy above this mean density near Nyquist."}),
      field("dead_channel_threshold", &BadChannels::dead_channel_threshold,
            {.doc = "Dead when less like the median than the channels around by this."}),
      field("noisy_channel_threshold", &BadChannels::noisy_channel_threshold,
            {.doc = "Noisy when more like it than they are by this."}),
      field("outside_channel_threshold", &BadChannels::outside_channel_threshold,
            {.doc =
                 "Outside when the channels around are less like the median than 1 by this, in one "
                 "run from an end."}),
      field("outside_channels_location", &BadChannels::outside_channels_location,
            {.doc = "Which ends may lie outside; the top is the end of large coordinates."}),
      field("n_neighbors", &BadChannels::n_neighbors,
            {.min = 1, .max = 1001, .doc = "Channels around: the width of a running median; odd."}),
      field("nyquist_threshold", &BadChannels::nyquist_threshold,
            {.min = 0,
             .max = 0.99,
             .above_min = true,
             .doc = "Near Nyquist is above this part of it."}),
      field("direction", &BadChannels::direction, {.doc = "The axis of the depth."}),
      field("chunk_duration_s", &BadChannels::chunk_duration_s,
            {.unit = "s", .min = 0, .max = 60, .above_min = true, .doc = "Each chunk has a vote."}),
      field(
          "welch_window_ms", &BadChannels::welch_window_ms,
          {.unit = "ms", .min = 0, .max = 1000, .above_min = true, .doc = "Window of a spectrum."}),
      field("sigma_um", &BadChannels::sigma_um,
            {.unit = "um", .min = 0, .above_min = true, .doc = "As for interpolate."}),
      field("p", &BadChannels::p,
            {.min = 0, .max = 10, .above_min = true, .doc = "As for interpolate."})};
  return kFields;
}
}  // namespace

const op::Operator& bad_channels_operator() {
  static const auto kMade = op::make_operator<BadChannels>(
      {.name = "bad_channels",
       .summary = "Find channels that are dead, noisy or outside; mark, zero or interpolate them.",
       .schema = schema(),
       .plan = &plan_bad_channels_step,
       .device = channel_matrix_kernels()});
  return *kMade;
}

}  // namespace weir::signal
