#include "weir/signal/ops/gaussian/gaussian.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace weir::signal {
namespace {
constexpr std::int64_t kMostRadius = 50'000;

double sigma_of(const Gaussian& params, const SampleRate& rate) {
  if (params.sigma.has_value() == params.sigma_s.has_value()) {
    throw Error(ErrorCode::invalid_spec, "sigma: give either sigma or sigma_s");
  }
  return params.sigma ? *params.sigma : *params.sigma_s * rate.hz();
}

std::int64_t radius_of(const Gaussian& params, double sigma) {
  const double radius = params.radius ? static_cast<double>(*params.radius)
                                      : std::floor(params.truncate * sigma + 0.5);
  if (radius > kMostRadius) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("{}: {} sigmas of {} samples are {} samples to each side, more than {}",
                            params.sigma ? "sigma" : "sigma_s", params.truncate, sigma, radius,
                            kMostRadius));
  }
  return static_cast<std::int64_t>(radius);
}

PolyphasePlan plan_gaussian(const Gaussian& params, const SampleRate& rate) {
  const double sigma = sigma_of(params, rate);
  const std::int64_t radius = radius_of(params, sigma);
  PolyphasePlan plan = plan_taps(gaussian_taps(sigma, radius, params.order), radius);
  choose_sums(plan, params.method);
  return plan;
}

op::Port port_of(const Gaussian& params, StreamInfo stream) {
  stream.type = SampleType::float32;
  for (Channel& channel : stream.channels) {
    if (params.order > 0 && !channel.unit.empty()) {
      channel.unit += params.order == 1 ? "/sample" : fmt::format("/sample^{}", params.order);
    }
  }
  return {.name = "signal", .stream = std::move(stream)};
}

class GaussianStep final : public PolyphaseStep {
 public:
  GaussianStep(const Gaussian& params, const StreamInfo& in)
      : PolyphaseStep(plan_gaussian(params, in.rate), params.edge, port_of(params, in)),
        sigma_(sigma_of(params, in.rate)) {}

  std::vector<std::string> decisions() const override {
    return {fmt::format("sigma {:.4g} samples, {} taps; {}", sigma_, filter().length,
                        sums_text(filter()))};
  }

 private:
  double sigma_;
};

const op::Schema<Gaussian>& schema() {
  using op::field;
  static const op::Schema<Gaussian> kFields{
      field("sigma", &Gaussian::sigma,
            {.unit = "samples",
             .min = 0,
             .above_min = true,
             .doc = "Standard deviation; either this or sigma_s."}),
      field("sigma_s", &Gaussian::sigma_s,
            {.unit = "s", .min = 0, .above_min = true, .doc = "The same in seconds."}),
      field("order", &Gaussian::order,
            {.min = 0, .max = 4, .doc = "0 smooths; n gives the n-th derivative, per sample^n."}),
      field("truncate", &Gaussian::truncate,
            {.min = 0, .max = 100, .doc = "Where the taps end, in standard deviations."}),
      field("radius", &Gaussian::radius,
            {.unit = "samples", .min = 0, .doc = "Where they end in samples, instead."}),
      field("edge", &Gaussian::edge, {.aliases = {"mode"}, .doc = kEdgeDoc}),
      field("method", &Gaussian::method, {.doc = kMethodDoc}),
  };
  return kFields;
}

std::unique_ptr<op::Step> plan(const Gaussian& params, const op::StepContext& context) {
  return std::make_unique<GaussianStep>(params, context.in);
}
}  // namespace

// The derivatives of exp(-x^2 / 2 s^2) are polynomials times it: p' - x / s^2 p after p.
std::vector<double> gaussian_taps(double sigma, std::int64_t radius, std::int64_t order) {
  const double inverse = 1 / (sigma * sigma);
  std::vector<double> p{1};
  for (std::int64_t n = 0; n < order; ++n) {
    std::vector<double> next(p.size() + 1);
    for (std::size_t k = 0; k < p.size(); ++k) {
      next[k + 1] -= inverse * p[k];
      if (k > 0) {
        next[k - 1] += static_cast<double>(k) * p[k];
      }
    }
    p = std::move(next);
  }
  std::vector<double> taps;
  double sum = 0;
  for (std::int64_t j = -radius; j <= radius; ++j) {
    const auto x = static_cast<double>(j);
    const double bell = std::exp(-0.5 * inverse * x * x);
    double value = 0;
    for (std::size_t k = p.size(); k-- > 0;) {
      value = value * x + p[k];
    }
    taps.push_back(value * bell);
    sum += bell;
  }
  for (double& tap : taps) {
    tap /= sum;
  }
  return taps;
}

const op::Operator& gaussian_operator() {
  static const auto kMade =
      op::make_operator<Gaussian>({.name = "gaussian",
                                   .summary = "Smoothing in time by a Gaussian.",
                                   .schema = schema(),
                                   .plan = plan,
                                   .device = polyphase_device_text()});
  return *kMade;
}

}  // namespace weir::signal
