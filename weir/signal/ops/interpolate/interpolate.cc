#include "weir/signal/ops/interpolate/interpolate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "weir/core/error.h"
#include "weir/signal/channel_list.h"

namespace weir::signal {
namespace {
[[noreturn]] void refuse(const std::string& text) {
  throw Error(ErrorCode::invalid_spec, text);
}

std::vector<std::int64_t> bad_channels(const Interpolate& params, const StreamInfo& in) {
  const auto bad = find_channels(params.channels, in, "channels");
  const auto electrical = electrical_channels(in.channels);
  for (const std::int64_t c : bad) {
    if (!std::binary_search(electrical.begin(), electrical.end(), c)) {
      const Channel& channel = in.channels[static_cast<std::size_t>(c)];
      refuse(fmt::format("channels: channel {} (\"{}\", unit \"{}\") is no voltage", c,
                         channel.name, channel.unit));
    }
  }
  return bad;
}
}  // namespace

double common_pitch_um(const std::vector<std::int64_t>& channels, const StreamInfo& in) {
  std::vector<double> depths;
  for (const auto& position : positions_of(channels, in, "channels: interpolation")) {
    depths.push_back(position[1]);
  }
  std::sort(depths.begin(), depths.end());
  std::map<double, std::int64_t> seen;
  for (std::size_t i = 1; i < depths.size(); ++i) {
    if (depths[i] > depths[i - 1]) {
      ++seen[depths[i] - depths[i - 1]];
    }
  }
  if (seen.empty()) {
    refuse("sigma_um: all contacts stand at the same y; give it");
  }
  return std::max_element(seen.begin(), seen.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

std::vector<MatrixTerm> interpolation_row(std::int64_t bad, const std::vector<std::int64_t>& good,
                                          const InterpolationShape& shape, const StreamInfo& in) {
  const auto own = positions_of({bad}, in, "channels: interpolation")[0];
  const Positions positions = positions_of(good, in, "channels: interpolation");
  std::vector<MatrixTerm> row;
  double total = 0;
  for (std::size_t i = 0; i < good.size(); ++i) {
    const double away = distance_um(own, positions[i]) / shape.sigma_um;
    const double weight = std::exp(-std::pow(away, shape.p));
    if (weight >= kLeastInterpolationWeight) {
      row.push_back({good[i], weight});
      total += weight;
    }
  }
  for (MatrixTerm& term : row) {
    term.weight /= total;
  }
  std::erase_if(row, [](const auto& term) { return term.weight < kLeastInterpolationWeight; });
  return row;
}

namespace {
ChannelMatrix plan_interpolation(const std::vector<std::int64_t>& bad,
                                 const InterpolationShape& shape, const StreamInfo& in) {
  std::vector<std::int64_t> good;
  for (const std::int64_t c : electrical_channels(in.channels)) {
    if (!std::binary_search(bad.begin(), bad.end(), c)) {
      good.push_back(c);
    }
  }
  ChannelMatrix matrix = identity_matrix(in);
  for (const std::int64_t c : bad) {
    auto row = interpolation_row(c, good, shape, in);
    if (row.empty()) {
      refuse(fmt::format(
          "channels: channel {} (\"{}\") has no good channel within {:.4g} um (sigma_um {:.4g})", c,
          in.channels[static_cast<std::size_t>(c)].name,
          shape.sigma_um * std::pow(-std::log(kLeastInterpolationWeight), 1 / shape.p),
          shape.sigma_um));
    }
    set_row(matrix, c, std::move(row), in, "channels");
  }
  return matrix;
}
}  // namespace

const op::Operator& interpolate_operator() {
  using op::field;
  static const auto kMade = op::make_operator<Interpolate>(
      {.name = "interpolate",
       .summary = "Make bad channels anew from the good ones around them.",
       .schema =
           op::Schema<Interpolate>{
               field("channels", &Interpolate::channels,
                     {.required = true, .doc = "The bad channels (indices or names)."}),
               field("sigma_um", &Interpolate::sigma_um,
                     {.unit = "um",
                      .min = 0,
                      .above_min = true,
                      .doc = "Distance at which a channel weighs 1/e; default the most common "
                             "distance of contacts along y."}),
               field("p", &Interpolate::p,
                     {.min = 0,
                      .max = 10,
                      .above_min = true,
                      .doc = "How fast weights fall: exp(-(distance / sigma)^p)."})},
       .plan = [](const Interpolate& params,
                  const op::StepContext& context) -> std::unique_ptr<op::Step> {
         const StreamInfo& in = context.in;
         const auto bad = bad_channels(params, in);
         const double sigma = params.sigma_um ? *params.sigma_um
                              : bad.empty()   ? 1.0
                                            : common_pitch_um(electrical_channels(in.channels), in);
         const std::string told = fmt::format("{} channels made anew ({}), sigma {:.4g} um",
                                              bad.size(), fmt::join(bad, ", "), sigma);
         return channel_matrix_step(plan_interpolation(bad, {sigma, params.p}, in), in,
                                    {.decisions = {told}});
       },
       .device = channel_matrix_kernels()});
  return *kMade;
}

}  // namespace weir::signal
