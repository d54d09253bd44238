#include "weir/signal/ops/whiten/whiten.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "weir/core/error.h"
#include "weir/signal/channel_list.h"
#include "weir/signal/ops/whiten/whiten_step_internal.h"

namespace weir::signal {

std::span<const op::EnumName<WhitenMode>> names_of(WhitenMode) {
  static constexpr std::array<op::EnumName<WhitenMode>, 2> kNames{
      {{"global", WhitenMode::global}, {"local", WhitenMode::local}}};
  return kNames;
}

std::span<const op::EnumName<WhitenMethod>> names_of(WhitenMethod) {
  static constexpr std::array<op::EnumName<WhitenMethod>, 2> kNames{
      {{"zca", WhitenMethod::zca}, {"pca", WhitenMethod::pca}}};
  return kNames;
}

namespace {
constexpr double kDefaultRadius = 100;

[[noreturn]] void refuse(const std::string& text) {
  throw Error(ErrorCode::invalid_spec, text);
}

void check(const Whiten& params) {
  const bool local = params.mode == WhitenMode::local;
  if (!local && params.radius_um) {
    refuse("radius_um: only mode local has one");
  }
  if (!local && params.nearest) {
    refuse("nearest: only mode local has them");
  }
  if (params.radius_um && params.nearest) {
    refuse("nearest: give either the nearest channels or a radius_um");
  }
  if (local && params.method == WhitenMethod::pca) {
    refuse("method: pca has components of all channels; mode local has none");
  }
}

/// Indices of the channels near to `of`, itself included, ascending.
std::vector<std::int64_t> set_around(std::size_t of, const Positions& positions,
                                     const Whiten& params) {
  std::vector<std::int64_t> set = nearest_first(positions, of);
  const auto near = [&](std::int64_t c) {
    return distance_um(positions[of], positions[static_cast<std::size_t>(c)]) <=
           params.radius_um.value_or(kDefaultRadius);
  };
  const auto beyond = params.nearest ? set.begin() + std::min(*params.nearest + 1, std::ssize(set))
                                     : std::partition_point(set.begin(), set.end(), near);
  set.erase(beyond, set.end());
  std::sort(set.begin(), set.end());
  return set;
}

double comparable_gain(const Channel& channel, const std::string& unit) {
  std::vector<MatrixTerm> one{{0, 1.0}};
  in_context("input", [&] { convert_weights(one, {channel}, unit); });
  const double gain = channel.gain * one[0].weight;
  if (!std::isnormal(gain)) {
    refuse(fmt::format("input: channel \"{}\" has gain {}", channel.name, channel.gain));
  }
  return gain;
}
}  // namespace

WhitenPlan plan_whiten(const Whiten& params, const StreamInfo& in) {
  check(params);
  WhitenPlan plan;
  plan.channels = electrical_channels(in.channels);
  if (plan.channels.empty()) {
    refuse("input: the stream has no channels");
  }
  plan.unit = in.channels[static_cast<std::size_t>(plan.channels[0])].unit;
  for (const std::int64_t c : plan.channels) {
    plan.gains.push_back(comparable_gain(in.channels[static_cast<std::size_t>(c)], plan.unit));
  }
  if (params.mode == WhitenMode::global) {
    std::vector<std::int64_t> all(plan.channels.size());
    std::iota(all.begin(), all.end(), std::int64_t{0});
    plan.sets.assign(plan.channels.size(), all);
    return plan;
  }
  const Positions positions = positions_of(plan.channels, in, "mode: local");
  for (std::size_t i = 0; i < positions.size(); ++i) {
    plan.sets.push_back(set_around(i, positions, params));
  }
  return plan;
}

const op::Operator& whiten_operator() {
  using op::field;
  static const auto kMade =
      op::make_operator<Whiten>(
          {.name = "whiten",
           .summary = "Make channels uncorrelated, each with the variance 1.",
           .schema =
               op::Schema<Whiten>{
                   field(
                       "mode", &Whiten::mode,
                       {.doc =
                            "Whether a channel is whitened by all channels or by those near it."}),
                   field(
                       "method", &Whiten::method,
                       {.doc = "zca stays nearest to the channels; pca gives principal components "
                               "pc0, pc1, …, the strongest first."}),
                   field("radius_um", &Whiten::radius_um,
                         {.unit = "um",
                          .min = 0,
                          .doc = "Mode local: how far channels are near; default 100."}),
                   field("nearest", &Whiten::nearest,
                         {.min = 1,
                          .max = 65'535,
                          .doc = "Mode local: instead of a radius, so many nearest channels."}),
                   field("eps", &Whiten::eps,
                         {.min = 0,
                          .max = 1,
                          .doc = "Added to every eigenvalue of the covariance, as a part of their "
                                 "mean: what "
                                 "is weaker is not raised to the variance 1."}),
                   field("int_scale", &Whiten::int_scale,
                         {.min = 0,
                          .max = 32'767,
                          .above_min = true,
                          .doc = "Counts of integer output that one standard deviation becomes; "
                                 "without it "
                                 "the output is for floats."})},
           .plan = &plan_whiten_step,
           .device = channel_matrix_kernels()});
  return *kMade;
}

}  // namespace weir::signal
