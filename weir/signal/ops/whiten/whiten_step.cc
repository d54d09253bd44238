#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "weir/core/error.h"
#include "weir/op/device_step.h"
#include "weir/signal/ops/whiten/covariance_internal.h"
#include "weir/signal/ops/whiten/whiten_step_internal.h"

namespace weir::signal {
namespace {
Value list_of(std::span<const double> values) {
  Value list = Value::array();
  for (const double value : values) {
    list.push_back(value);
  }
  return list;
}

std::vector<double> numbers_of(const Value& list, std::size_t count, const char* what) {
  if (list.as_array().size() != count) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("{}: {} values instead of {}", what, list.as_array().size(), count));
  }
  std::vector<double> numbers;
  for (const Value& value : list.as_array()) {
    numbers.push_back(value.as_number());
  }
  return numbers;
}

/// What a fit found; `weights` is [channels, channels].
struct Fitted {
  std::int64_t frames = 0;
  std::vector<double> sd;
  std::vector<double> weights;
};

class WhitenFitter final : public op::Fitter {
 public:
  WhitenFitter(const Whiten& params, const WhitenPlan& plan)
      : params_(params), plan_(plan), sums_(plan.channels) {}

  void add(AnyBlock block) override { sums_.add(block.as<float>()); }
  Value finish() override {
    const Covariance covariance = sums_.finish(plan_.gains);
    const std::size_t channels = plan_.channels.size();
    const auto weights = whitening_matrix(params_, plan_, covariance);
    Value sd = Value::array();
    Value rows = Value::array();
    for (std::size_t i = 0; i < channels; ++i) {
      sd.push_back(std::sqrt(covariance.values[i * (channels + 1)]));
      rows.push_back(list_of(std::span(weights).subspan(i * channels, channels)));
    }
    Value values = Value::object();
    values.set("frames", covariance.frames);
    values.set("sd", std::move(sd));
    values.set("W", std::move(rows));
    return values;
  }

 private:
  Whiten params_;
  WhitenPlan plan_;
  CovarianceSums sums_;
};

/// Terms for every pair of a set, also those whose weight is 0: what kernels hold is known before
/// the fit.
ChannelMatrix matrix_of(const Whiten& params, const WhitenPlan& plan, const StreamInfo& in,
                        const std::vector<double>& weights) {
  ChannelMatrix matrix = identity_matrix(in);
  const std::size_t count = plan.channels.size();
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<MatrixTerm> row;
    for (const std::int64_t j : plan.sets[i]) {
      row.push_back({plan.channels[static_cast<std::size_t>(j)],
                     weights[i * count + static_cast<std::size_t>(j)]});
    }
    convert_weights(row, in.channels, plan.unit);
    const auto at = static_cast<std::size_t>(plan.channels[i]);
    matrix.rows[at] = std::move(row);
    Channel& channel = matrix.channels[at];
    channel.gain = 1 / params.int_scale.value_or(1);
    channel.unit.clear();
    if (params.method == WhitenMethod::pca) {
      channel.name = fmt::format("pc{}", i);
      channel.position.reset();
    }
  }
  return matrix;
}

/// Rounding of a sum of n terms beside a result of standard deviation 1, of which full scale is
/// some: what large terms that cancel leave behind.
double rounding(const WhitenPlan& plan, const Fitted& fit) {
  const std::size_t count = plan.channels.size();
  double most = 0;
  for (std::size_t i = 0; i < count; ++i) {
    double terms = 0;
    for (std::size_t j = 0; j < count; ++j) {
      terms += std::fabs(fit.weights[i * count + j]) * fit.sd[j];
    }
    most = std::max(most, terms * std::sqrt(static_cast<double>(plan.sets[i].size())));
  }
  return std::max(1e-6, 0x1p-24 * most);
}

class WhitenStep final : public op::Step {
 public:
  WhitenStep(const Whiten& params, const StreamInfo& in, const Fitted& fit)
      : params_(params),
        plan_(plan_whiten(params, in)),
        in_(in),
        fitted_(!fit.weights.empty()),
        story_(story(fit)),
        product_(channel_matrix_step(
            matrix_of(
                params, plan_, in,
                fitted_ ? fit.weights : std::vector<double>(squared(plan_.channels.size()), 1.0)),
            in, {story_, fitted_ ? rounding(plan_, fit) : 1e-6})) {}

  const std::vector<op::Port>& ports() const noexcept override { return product_->ports(); }
  op::Parallel parallel() const noexcept override { return product_->parallel(); }
  double tolerance() const noexcept override { return product_->tolerance(); }
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
  std::size_t device_bytes(std::int64_t channels, std::int64_t frames) const noexcept override {
    return product_->device_bytes(channels, frames);
  }

  op::Fit fit() const noexcept override { return fitted_ ? op::Fit::none : op::Fit::sample; }
  std::unique_ptr<op::Fitter> fitter() const override {
    return std::make_unique<WhitenFitter>(params_, plan_);
  }
  /// Beside the sums: the covariance, its part, vectors, factors and rows, and W once as numbers
  /// and once as values.
  std::size_t fitter_bytes() const noexcept override {
    const std::size_t count = plan_.channels.size();
    return fitted_ ? 0
                   : 2 * CovarianceSums::bytes_for(count) +
                         squared(count) * (8 * sizeof(double) + 2 * sizeof(Value));
  }
  std::unique_ptr<op::Step> fitted(const Value& values) const override {
    const std::size_t count = plan_.channels.size();
    Fitted fit{values.at("frames").as_integer(), numbers_of(values.at("sd"), count, "sd"), {}};
    const auto& rows = values.at("W").as_array();
    if (rows.size() != count) {
      throw Error(ErrorCode::invalid_spec,
                  fmt::format("W: {} rows for {} channels", rows.size(), count));
    }
    for (const Value& row : rows) {
      const auto weights = numbers_of(row, count, "W");
      fit.weights.insert(fit.weights.end(), weights.begin(), weights.end());
    }
    return std::make_unique<WhitenStep>(params_, in_, fit);
  }

 private:
  static std::size_t squared(std::size_t count) noexcept { return count * count; }
  std::vector<std::string> story(const Fitted& fit) const;

  Whiten params_;
  WhitenPlan plan_;
  StreamInfo in_;
  bool fitted_;
  std::vector<std::string> story_;
  std::unique_ptr<op::Step> product_;
};

std::vector<std::string> WhitenStep::story(const Fitted& fit) const {
  const auto [least, most] =
      std::minmax_element(plan_.sets.begin(), plan_.sets.end(),
                          [](const auto& a, const auto& b) { return a.size() < b.size(); });
  std::string sizes = fmt::format("{}", least->size());
  if (least->size() != most->size()) {
    sizes += fmt::format(" to {}", most->size());
  }
  std::vector<std::string> lines{
      fmt::format("{} of {} channels, each from {}, eps {:g} of the mean eigenvalue",
                  plan_.channels.size(), in_.channels.size(), sizes, params_.eps)};
  if (fit.weights.empty()) {
    lines.emplace_back("covariance measured in float64 before the run");
    return lines;
  }
  lines.push_back(fmt::format("covariance of {} frames", fit.frames));
  const auto constant = std::count(fit.sd.begin(), fit.sd.end(), 0.0);
  if (constant > 0) {
    lines.push_back(fmt::format("{} channels never change: 0 comes out of them", constant));
  }
  return lines;
}
}  // namespace

std::unique_ptr<op::Step> plan_whiten_step(const Whiten& params, const op::StepContext& context) {
  return std::make_unique<WhitenStep>(params, context.in, Fitted{});
}

}  // namespace weir::signal
