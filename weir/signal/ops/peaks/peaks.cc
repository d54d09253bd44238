#include "weir/signal/ops/peaks/peaks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "weir/core/error.h"
#include "weir/signal/channel_list.h"
#include "weir/signal/ops/crossings/crossings.h"
#include "weir/signal/ops/peaks/peaks_cl.h"
#include "weir/signal/ops/peaks/peaks_internal.h"
#include "weir/signal/ops/peaks/peaks_step_internal.h"

namespace weir::signal {

std::span<const op::EnumName<PeakSign>> names_of(PeakSign) {
  static constexpr std::array<op::EnumName<PeakSign>, 3> kNames{
      {{"pos", PeakSign::pos}, {"neg", PeakSign::neg}, {"both", PeakSign::both}}};
  return kNames;
}

std::span<const op::EnumName<HeightUnit>> names_of(HeightUnit) {
  static constexpr std::array<op::EnumName<HeightUnit>, 3> kNames{
      {{"signal", HeightUnit::signal}, {"mad", HeightUnit::mad}, {"sd", HeightUnit::sd}}};
  return kNames;
}

namespace {
[[noreturn]] void refuse(const std::string& text) {
  throw Error(ErrorCode::invalid_spec, text);
}

std::int64_t frames_of(const SampleRate& rate, double seconds, std::string_view field) {
  return in_context(field, [&] { return rate.ceil_frames(seconds); });
}

void set_distance(const Peaks& params, const SampleRate& rate, PeakRules& rules) {
  if (!params.distance_s) {
    if (params.radius_um) {
      refuse("distance_s: is needed with radius_um: how near in time peaks of neighbours compete");
    }
    if (params.max_cluster_s) {
      refuse("max_cluster_s: bounds the chains that distance_s makes; there is none");
    }
    return;
  }
  rules.distance = std::max<std::int64_t>(1, frames_of(rate, *params.distance_s, "distance_s"));
  const std::int64_t least = 2 * rules.distance + 4;
  rules.max_cluster = 20 * rules.distance + 4;
  if (params.max_cluster_s) {
    rules.max_cluster = frames_of(rate, *params.max_cluster_s, "max_cluster_s");
    if (rules.max_cluster < least) {
      refuse(fmt::format("max_cluster_s: {} frames are less than twice distance_s and 4 more ({})",
                         rules.max_cluster, least));
    }
  }
  // The next thought after a neighbour on either side has waited too long.
  rules.horizon = rules.distance + rules.max_cluster + rules.max_cluster / 2 + kPeakGrid + 2;
}

void set_window(const Peaks& params, const SampleRate& rate, PeakRules& rules) {
  if (!params.prominence && !params.width_s) {
    return;
  }
  const std::int64_t window = frames_of(rate, params.wlen_s, "wlen_s");
  if (window < 2) {
    refuse(fmt::format("wlen_s: {} s is {} frames at {}; 2 are needed", params.wlen_s, window,
                       rate.text()));
  }
  rules.half_window = window / 2;
  rules.rel_height = params.rel_height;
  rules.width = params.width_s.value_or(0) * rate.hz();
  if (rules.max_cluster == 0) {
    rules.max_cluster = 2 * rules.half_window;
  }
  rules.horizon = std::max(rules.horizon, rules.half_window + rules.max_cluster / 2 + 2);
}
}  // namespace

PeakRules peak_rules(const Peaks& params, const SampleRate& rate) {
  PeakRules rules;
  rules.pos = params.peak_sign != PeakSign::neg;
  rules.neg = params.peak_sign != PeakSign::pos;
  rules.steep = params.threshold.has_value();
  set_distance(params, rate, rules);
  set_window(params, rate, rules);
  constexpr std::int64_t kMostFrames = std::int64_t{1} << 28;
  if (rules.horizon > kMostFrames) {
    refuse(fmt::format("wlen_s: peaks would wait for {} frames, at most {} can be kept",
                       rules.horizon, kMostFrames));
  }
  return rules;
}

std::vector<PeakLevels> peak_levels(const Peaks& params, const std::vector<Channel>& channels,
                                    const std::vector<double>& scale) {
  constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
  constexpr double kLowest = -std::numeric_limits<double>::infinity();
  std::vector<PeakLevels> levels(channels.size());
  for (std::size_t i = 0; i < channels.size(); ++i) {
    const double gain = channels[i].gain;
    PeakLevels& level = levels[i];
    level.sign = gain < 0 ? -1.0F : 1.0F;
    level.gain = std::fabs(gain);
    level.least = kNone;
    if (i < scale.size() && gain != 0 && std::isfinite(gain) && std::isfinite(scale[i])) {
      level.least = params.height ? lowest_count_at(*params.height * scale[i], level.gain)
                                  : -std::numeric_limits<float>::infinity();
      level.threshold = params.threshold ? *params.threshold * scale[i] : kLowest;
      level.prominence = params.prominence ? *params.prominence * scale[i] : kLowest;
    }
  }
  return levels;
}

std::vector<std::vector<std::int32_t>> competitors(const Peaks& params, const StreamInfo& in) {
  std::vector<std::vector<std::int32_t>> lists;
  std::vector<std::int64_t> all;
  for (std::int64_t c = 0; c < in.channel_count(); ++c) {
    lists.push_back({static_cast<std::int32_t>(c)});
    all.push_back(c);
  }
  if (!params.radius_um) {
    return lists;
  }
  const Positions positions = positions_of(all, in, "radius_um: exclusion");
  for (std::size_t c = 0; c < lists.size(); ++c) {
    lists[c].clear();
    for (std::size_t other = 0; other < lists.size(); ++other) {
      if (distance_um(positions[c], positions[other]) <= *params.radius_um) {
        lists[c].push_back(static_cast<std::int32_t>(other));
      }
    }
  }
  return lists;
}

namespace {
const op::Schema<Peaks>& schema() {
  using op::field;
  static const op::Schema<Peaks> kFields{
      field("peak_sign", &Peaks::peak_sign,
            {.doc = "Which way peaks point; neg takes the signal with its sign turned, and all "
                    "levels with it."}),
      field("height", &Peaks::height, {.doc = "Least height, from zero."}),
      field("height_unit", &Peaks::height_unit,
            {.doc = "Of height, threshold and prominence: the signal's own unit, or multiples of "
                    "each channel's measured spread."}),
      field("threshold", &Peaks::threshold,
            {.min = 0, .doc = "Least difference to both samples beside the peak."}),
      field("distance_s", &Peaks::distance_s,
            {.unit = "s",
             .min = 0,
             .max = 1e6,
             .above_min = true,
             .doc =
                 "Peaks nearer than this to a higher one are dropped, the highest first; of equals "
                 "the later stays."}),
      field("radius_um", &Peaks::radius_um,
            {.unit = "um",
             .min = 0,
             .doc = "With distance_s: peaks of channels this near compete too."}),
      field("prominence", &Peaks::prominence,
            {.min = 0, .doc = "Least height above the higher of the lows on both sides."}),
      field("width_s", &Peaks::width_s,
            {.unit = "s", .min = 0, .max = 1e6, .doc = "Least width at rel_height."}),
      field("rel_height", &Peaks::rel_height,
            {.min = 0,
             .max = 1,
             .doc = "Where widths are measured: this part of the prominence below the top."}),
      field("wlen_s", &Peaks::wlen_s,
            {.unit = "s",
             .min = 0,
             .max = 1e6,
             .above_min = true,
             .doc = "Window around a peak in which its prominence and width are measured."}),
      field(
          "max_cluster_s", &Peaks::max_cluster_s,
          {.unit = "s",
           .min = 0,
           .max = 1e6,
           .above_min = true,
           .doc = "A peak that waits longer than this for a higher neighbour's fate is taken, and "
                  "a longer flat top is none; both are counted. Default 20 distances."})};
  return kFields;
}
}  // namespace

const op::Operator& peaks_operator() {
  static const auto kMade = op::make_operator<Peaks>(
      {.name = "peaks",
       .summary = "Local maxima by height, threshold, distance, prominence and width.",
       .schema = schema(),
       .plan = &plan_peaks_step,
       .device = kernels::kPeaks});
  return *kMade;
}

}  // namespace weir::signal
