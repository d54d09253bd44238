#pragma once

#include <memory>
#include <vector>

#include "weir/op/step.h"
#include "weir/signal/ops/bad_channels/bad_channels.h"
#include "weir/signal/spread_fit.h"

namespace weir::signal {

/// Which channels are judged together, and in which unit.
struct BadChannelPlan {
  std::vector<std::vector<std::int64_t>> groups;  ///< Each in the order of depth.
  std::vector<double> gains;                      ///< Of every channel, to microvolts or its unit.
  ScoreRules rules;
  std::int64_t chunk_frames = 1;
};

/// Errors: `invalid_spec` naming the field.
BadChannelPlan plan_bad_channels(const BadChannels& params, const StreamInfo& in);

/// {"labels": [per channel]}, by chunks of coherence+psd or by spreads.
std::unique_ptr<op::Fitter> make_label_fitter(const BadChannels& params, const BadChannelPlan& plan,
                                              const StreamInfo& in, const FitPlace& place);
std::size_t label_fitter_bytes(const BadChannels& params, const BadChannelPlan& plan,
                               const StreamInfo& in, const FitPlace& place);

std::unique_ptr<op::Step> plan_bad_channels_step(const BadChannels& params,
                                                 const op::StepContext& context);

}  // namespace weir::signal
