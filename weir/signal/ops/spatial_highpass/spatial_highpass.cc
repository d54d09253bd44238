#include "weir/signal/ops/spatial_highpass/spatial_highpass.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "weir/core/error.h"
#include "weir/signal/channel_list.h"
#include "weir/signal/filter_design.h"
#include "weir/signal/ops/spatial_highpass/spatial_agc_internal.h"

namespace weir::signal {

static std::span<const op::EnumName<ProbeDirection>> names_of(ProbeDirection) {
  static constexpr std::array<op::EnumName<ProbeDirection>, 3> kNames{
      {{"x", ProbeDirection::x}, {"y", ProbeDirection::y}, {"z", ProbeDirection::z}}};
  return kNames;
}

namespace {
using Row = std::vector<double>;

/// One pass from the steady state of the first value.
void filter(const Sections& sections, Row& row) {
  std::vector<DeltaState> states = steady_state(sections);
  for (DeltaState& state : states) {
    state.s1 *= row.front();
    state.s2 *= row.front();
  }
  for (double& value : row) {
    for (std::size_t i = 0; i < sections.size(); ++i) {
      const Section& section = sections[i];
      const double y = section.b0 * value + states[i].s1;
      states[i].s1 += section.beta1 * value - section.alpha1 * y + states[i].s2;
      states[i].s2 += section.beta2 * value - section.alpha2 * y;
      value = y;
    }
  }
}

/// Both ends continued, point symmetric about the end values.
Row odd_extended(const Row& row, std::int64_t by) {
  Row extended;
  for (std::int64_t i = by; i > 0; --i) {
    extended.push_back(2 * row.front() - row[static_cast<std::size_t>(i)]);
  }
  extended.insert(extended.end(), row.begin(), row.end());
  for (std::int64_t i = 1; i <= by; ++i) {
    extended.push_back(2 * row.back() - row[row.size() - 1 - static_cast<std::size_t>(i)]);
  }
  return extended;
}

void filter_both_ways(const Sections& sections, Row& row) {
  const std::int64_t padlen = default_padlen(sections);
  Row extended = odd_extended(row, padlen);
  filter(sections, extended);
  std::reverse(extended.begin(), extended.end());
  filter(sections, extended);
  std::reverse(extended.begin(), extended.end());
  std::copy_n(extended.begin() + padlen, row.size(), row.begin());
}

/// Where position `at` of an endlessly mirrored row of `count` values comes from.
std::int64_t mirrored(std::int64_t at, std::int64_t count) {
  const std::int64_t turn = 2 * count;
  const std::int64_t place = (at % turn + turn) % turn;
  return place < count ? place : turn - 1 - place;
}

/// Rises from 0 over the first `length` places and falls to 0 over the last, as half cosines.
double taper(std::int64_t at, std::int64_t count, std::int64_t length) {
  if (length == 0) {
    return 1;
  }
  const auto rise = [&](double part) {
    return (1 - std::cos(std::clamp(part, 0.0, 1.0) * std::numbers::pi)) / 2;
  };
  const auto width = static_cast<double>(length);
  return rise(static_cast<double>(at) / width) *
         (1 - rise(static_cast<double>(at - (count - length)) / width));
}
}  // namespace

std::vector<double> spatial_filter_matrix(const SpatialHighpass& params, std::int64_t channels) {
  const double edge = params.highpass_butter_wn;
  const Sections sections =
      butterworth(Band::highpass, params.highpass_butter_order, std::span(&edge, 1), 2.0);
  const std::int64_t pad = params.n_channel_pad;
  const std::int64_t padded = channels + 2 * pad;
  if (padded <= default_padlen(sections)) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("n_channel_pad: {} channels and twice {} are too few for the filter, "
                            "which needs {}",
                            channels, pad, default_padlen(sections) + 1));
  }
  const auto side = static_cast<std::size_t>(channels);
  std::vector<double> matrix(side * side);
  for (std::int64_t c = 0; c < channels; ++c) {
    Row row(static_cast<std::size_t>(padded));
    for (std::int64_t at = 0; at < padded; ++at) {
      row[static_cast<std::size_t>(at)] =
          mirrored(at - pad, channels) == c ? taper(at, padded, params.n_channel_taper) : 0;
    }
    filter_both_ways(sections, row);
    for (std::size_t k = 0; k < side; ++k) {
      matrix[k * side + static_cast<std::size_t>(c)] = row[k + static_cast<std::size_t>(pad)];
    }
  }
  return matrix;
}

ChannelMatrix plan_spatial_highpass(const SpatialHighpass& params, const StreamInfo& in) {
  ChannelMatrix matrix = identity_matrix(in);
  for (const auto& group : by_group(electrical_channels(in.channels), in)) {
    const auto order =
        along_axis(group, in, static_cast<std::size_t>(params.direction), "direction: an axis");
    const auto weights = spatial_filter_matrix(params, std::ssize(order));
    for (std::size_t k = 0; k < order.size(); ++k) {
      std::vector<MatrixTerm> row;
      row.reserve(order.size());
      for (std::size_t c = 0; c < order.size(); ++c) {
        row.push_back({order[c], weights[k * order.size() + c]});
      }
      set_row(matrix, order[k], std::move(row), in, "input");
    }
  }
  return matrix;
}

namespace {
/// Amplitudes have a gain's magnitude but not its sign.
StreamInfo without_gains(StreamInfo in) {
  for (const std::int64_t c : electrical_channels(in.channels)) {
    Channel& channel = in.channels[static_cast<std::size_t>(c)];
    channel.gain = channel.gain < 0 ? -1 : 1;
    channel.unit = "uV";
  }
  return in;
}

std::unique_ptr<op::Step> plan_step(const SpatialHighpass& params, const op::StepContext& context) {
  ChannelMatrix matrix = plan_spatial_highpass(params, context.in);
  const std::vector<std::string> told{describe(matrix)};
  auto step = channel_matrix_step(std::move(matrix), context.in, {.decisions = told});
  if (!params.apply_agc) {
    return step;
  }
  const StreamInfo flat = without_gains(context.in);
  auto product = channel_matrix_step(plan_spatial_highpass(params, flat), flat, {});
  return spatial_agc_step(params.agc_window_length_s, std::move(product), context.in,
                          step->ports().front(), told);
}
}  // namespace

const op::Operator& spatial_highpass_operator() {
  using op::field;
  static const auto kMade =
      op::make_operator<SpatialHighpass>(
          {.name = "spatial_highpass",
           .summary = "Take away what changes slowly along a probe.",
           .schema =
               op::Schema<SpatialHighpass>{
                   field("n_channel_pad", &SpatialHighpass::n_channel_pad,
                         {.min = 0,
                          .max = 4096,
                          .doc = "Channels by which both ends are continued, mirrored, before "
                                 "filtering."}),
                   field("n_channel_taper", &SpatialHighpass::n_channel_taper,
                         {.min = 0,
                          .max = 4096,
                          .doc = "Channels at both ends of the continued row that rise from 0."}),
                   field("direction", &SpatialHighpass::direction,
                         {.doc = "Axis of the positions along which channels are filtered."}),
                   field("highpass_butter_order", &SpatialHighpass::highpass_butter_order,
                         {.min = 1,
                          .max = 10,
                          .doc = "Order of the Butterworth filter, run both ways."}),
                   field("highpass_butter_wn", &SpatialHighpass::highpass_butter_wn,
                         {.min = 0,
                          .max = 0.999,
                          .above_min = true,
                          .doc = "Its edge, as a part of the Nyquist frequency of the channels: "
                                 "0.01 is a "
                                 "period of 200 channels."}),
                   field(
                       "apply_agc", &SpatialHighpass::apply_agc,
                       {.doc =
                            "Divide every channel by its running amplitude before, and multiply by "
                            "it after."}),
                   field("agc_window_length_s", &SpatialHighpass::agc_window_length_s,
                         {.unit = "s",
                          .min = 0,
                          .max = 10,
                          .above_min = true,
                          .doc = "With apply_agc: the Hann window of the running amplitude."})},
           .plan = &plan_step,
           .device = channel_matrix_kernels()});
  return *kMade;
}

}  // namespace weir::signal
