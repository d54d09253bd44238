#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "weir/core/error.h"
#include "weir/op/step.h"
#include "weir/signal/channel_list.h"
#include "weir/signal/channel_matrix_device.h"
#include "weir/signal/ops/bad_channels/bad_channels_internal.h"
#include "weir/signal/ops/interpolate/interpolate.h"

namespace weir::signal {
namespace {
[[noreturn]] void refuse(const std::string& text) {
  throw Error(ErrorCode::invalid_spec, text);
}

/// Microvolts where that is possible: thresholds of power are in them.
double microvolts(const Channel& channel) {
  std::vector<MatrixTerm> one{{0, 1.0}};
  if (is_electrical(channel.unit)) {
    convert_weights(one, {channel}, "uV");
  }
  return channel.gain * one[0].weight;
}

ScoreRules rules_of(const BadChannels& params, const StreamInfo& in) {
  ScoreRules rules{in.rate.hz(), 0, params.nyquist_threshold, params.n_neighbors};
  rules.window = static_cast<std::int64_t>(params.welch_window_ms * rules.rate_hz / 1000);
  if (rules.window < 4 || rules.first_line() > rules.window / 2) {
    refuse(
        fmt::format("welch_window_ms: {} ms are {} samples, too few for a frequency above {} of "
                    "Nyquist",
                    params.welch_window_ms, rules.window, params.nyquist_threshold));
  }
  if (params.n_neighbors % 2 == 0) {
    refuse(fmt::format("n_neighbors: {} is even", params.n_neighbors));
  }
  return rules;
}

/// What comes out for these labels, and what is worth telling about it.
struct Cure {
  ChannelMatrix matrix;
  std::vector<std::string> story;
};

/// The labels of all channels but the good ones, a line a label.
std::vector<std::string> label_lines(const std::vector<ChannelLabel>& labels) {
  std::vector<std::string> lines;
  for (const auto& [name, label] : names_of(ChannelLabel{})) {
    std::vector<std::int64_t> which;
    for (std::size_t c = 0; c < labels.size(); ++c) {
      if (labels[c] == label) {
        which.push_back(static_cast<std::int64_t>(c));
      }
    }
    if (label != ChannelLabel::good && !which.empty()) {
      lines.push_back(fmt::format("{}: {}", name, fmt::join(which, ", ")));
    }
  }
  return lines;
}

Cure cure_of(const BadChannels& params, const StreamInfo& in,
             const std::vector<ChannelLabel>& labels) {
  Cure cure{identity_matrix(in), label_lines(labels)};
  std::vector<std::int64_t> good;
  std::vector<std::int64_t> unreachable;
  for (const std::int64_t c : electrical_channels(in.channels)) {
    if (labels[static_cast<std::size_t>(c)] == ChannelLabel::good) {
      good.push_back(c);
    }
  }
  const bool interpolates = params.action == BadChannelAction::interpolate;
  double sigma = params.sigma_um.value_or(1);
  for (std::int64_t c = 0; c < in.channel_count(); ++c) {
    const ChannelLabel label = labels[static_cast<std::size_t>(c)];
    const bool sick = label == ChannelLabel::dead || label == ChannelLabel::noise;
    if (sick && interpolates) {
      if (!params.sigma_um) {
        sigma = common_pitch_um(electrical_channels(in.channels), in);
      }
      auto row = interpolation_row(c, good, {sigma, params.p}, in);
      if (row.empty()) {
        unreachable.push_back(c);
      }
      set_row(cure.matrix, c, std::move(row), in, "input");
    } else if ((sick && params.action == BadChannelAction::zero) ||
               (label == ChannelLabel::out && params.outside == OutsideAction::zero)) {
      set_row(cure.matrix, c, {}, in, "input");
    }
  }
  if (!unreachable.empty()) {
    cure.story.push_back(
        fmt::format("no good channel is near enough to interpolate {}: 0 comes out",
                    fmt::join(unreachable, ", ")));
  }
  if (cure.story.empty()) {
    cure.story.emplace_back("all channels are good");
  }
  return cure;
}

/// Device memory for the cure of whatever will be found.
std::size_t most_device_bytes(const BadChannels& params, const StreamInfo& in) {
  ChannelMatrix matrix = identity_matrix(in);
  const auto part = electrical_channels(in.channels);
  std::vector<MatrixTerm> all;
  all.reserve(part.size());
  for (const std::int64_t c : part) {
    all.push_back({c, 1.0});
  }
  for (const std::int64_t c : part) {
    if (params.action == BadChannelAction::interpolate) {
      set_row(matrix, c, all, in, "input");
    }
  }
  return pack_for_device(matrix, in.channels).claim_bytes;
}

class BadChannelsStep final : public op::Step {
 public:
  BadChannelsStep(const BadChannels& params, const StreamInfo& in, FitPlace place,
                  const std::vector<ChannelLabel>& labels)
      : params_(params),
        plan_(plan_bad_channels(params, in)),
        in_(in),
        place_(std::move(place)),
        fitted_(!labels.empty()) {
    const auto all_good = std::vector<ChannelLabel>(in.channels.size(), ChannelLabel::good);
    Cure cure = cure_of(params, in, fitted_ ? labels : all_good);
    story_ = fitted_ ? std::move(cure.story)
                     : std::vector<std::string>{"channels judged before the run"};
    product_ = channel_matrix_step(std::move(cure.matrix), in, {});
    device_bytes_ =
        fitted_ ? product_->device_bytes(in.channel_count(), 0) : most_device_bytes(params, in);
  }

  const std::vector<op::Port>& ports() const noexcept override { return product_->ports(); }
  op::Parallel parallel() const noexcept override { return op::Parallel::frames; }
  std::vector<std::string> decisions() const override { return story_; }
  std::unique_ptr<op::State> start(const op::StartPoint& at) const override {
    WEIR_CHECK(fitted_);
    return product_->start(at);
  }
  void run(op::State& state, AnyBlock in, std::span<op::Emission> out) const override {
    product_->run(state, in, out);
  }
  bool runs_on(const compute::Target& target) const noexcept override {
    return product_->runs_on(target);
  }
  std::unique_ptr<op::DeviceStep> device(const op::DevicePlace& place,
                                         const op::StartPoint& at) const override {
    WEIR_CHECK(fitted_);
    return product_->device(place, at);
  }
  std::size_t device_bytes(std::int64_t, std::int64_t) const noexcept override {
    return device_bytes_;
  }

  op::Fit fit() const noexcept override { return fitted_ ? op::Fit::none : op::Fit::sample; }
  std::unique_ptr<op::Fitter> fitter() const override {
    return make_label_fitter(params_, plan_, in_, place_);
  }
  std::size_t temporary_bytes() const noexcept override {
    return fitted_ || params_.method == BadChannelMethod::coherence_psd
               ? 0
               : sample_fit_temporary_bytes(in_, place_.memory_bytes);
  }
  std::size_t fitter_bytes() const noexcept override {
    return fitted_ ? 0 : label_fitter_bytes(params_, plan_, in_, place_);
  }
  std::size_t fitter_task_bytes() const noexcept override {
    return fitted_ || params_.method == BadChannelMethod::coherence_psd
               ? 0
               : sample_fit_task_bytes(in_);
  }
  std::unique_ptr<op::Step> fitted(const Value& values) const override {
    const auto& list = values.at("labels").as_array();
    if (list.size() != in_.channels.size()) {
      refuse(fmt::format("labels: {} for {} channels", list.size(), in_.channels.size()));
    }
    std::vector<ChannelLabel> labels;
    for (const Value& label : list) {
      labels.push_back(op::Codec<ChannelLabel>::read(label));
    }
    return std::make_unique<BadChannelsStep>(params_, in_, place_, labels);
  }

 private:
  BadChannels params_;
  BadChannelPlan plan_;
  StreamInfo in_;
  FitPlace place_;
  bool fitted_;
  std::vector<std::string> story_;
  std::unique_ptr<op::Step> product_;
  std::size_t device_bytes_ = 0;
};
}  // namespace

BadChannelPlan plan_bad_channels(const BadChannels& params, const StreamInfo& in) {
  const auto part = electrical_channels(in.channels);
  if (part.empty()) {
    refuse("input: the stream has no channels");
  }
  BadChannelPlan plan;
  for (const Channel& channel : in.channels) {
    plan.gains.push_back(microvolts(channel));
  }
  plan.groups = by_group(part, in);
  if (params.method == BadChannelMethod::coherence_psd) {
    plan.rules = rules_of(params, in);
    plan.chunk_frames = std::max(in.rate.ceil_frames(params.chunk_duration_s), plan.rules.window);
    for (auto& group : plan.groups) {
      group =
          along_axis(group, in, static_cast<std::size_t>(params.direction), "direction: an axis");
    }
  }
  if (params.action == BadChannelAction::interpolate) {
    positions_of(part, in, "action: interpolate");
    if (!params.sigma_um && part.size() > 1) {
      common_pitch_um(part, in);
    }
  }
  return plan;
}

std::unique_ptr<op::Step> plan_bad_channels_step(const BadChannels& params,
                                                 const op::StepContext& context) {
  return std::make_unique<BadChannelsStep>(params, context.in,
                                           FitPlace{context.memory_bytes, context.temporary_folder},
                                           std::vector<ChannelLabel>{});
}

}  // namespace weir::signal
