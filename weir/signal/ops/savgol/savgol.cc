#include "weir/signal/ops/savgol/savgol.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace weir::signal {
namespace {
constexpr std::int64_t kMostWindow = 10'001;
constexpr std::int64_t kMostOrder = 20;

Edge edge_of(SavgolMode mode) noexcept {
  switch (mode) {
    case SavgolMode::interp:
      return Edge::fitted;
    case SavgolMode::mirror:
      return Edge::mirror;
    case SavgolMode::nearest:
      return Edge::nearest;
    case SavgolMode::reflect:
      return Edge::reflect;
    case SavgolMode::odd:
      return Edge::odd;
    case SavgolMode::constant:
      break;
  }
  return Edge::zero;
}

/// Adds the weights as taps in the order of the rows.
PolyphasePhase add_phase(PolyphasePlan& plan, const Savgol& params, std::int64_t at,
                         std::int64_t first) {
  const auto tap = static_cast<std::int64_t>(plan.taps.size());
  for (const double weight : savgol_weights(params, at)) {
    plan.taps.push_back(static_cast<float>(weight));
  }
  return {first, params.window_length, tap};
}

PolyphasePlan plan_savgol(const Savgol& params) {
  const std::int64_t half = params.window_length / 2;
  PolyphasePlan plan{.before = half, .after = half, .length = params.window_length};
  plan.phases.push_back(add_phase(plan, params, 0, -half));
  for (std::int64_t k = 0; params.mode == SavgolMode::interp && k < half; ++k) {
    plan.head.push_back(add_phase(plan, params, k - half, -k));
    plan.tail.push_back(add_phase(plan, params, half - k, k + 1 - params.window_length));
  }
  return plan;
}

op::Port port_of(const Savgol& params, StreamInfo stream) {
  stream.type = SampleType::float32;
  const double per_second = stream.rate.hz();
  for (Channel& channel : stream.channels) {
    if (params.deriv > 0 && !channel.unit.empty()) {
      const bool seconds = std::fabs(params.delta * per_second - 1) < 1e-9;
      channel.unit += seconds ? "/s" : (params.delta == 1 ? "/sample" : "/delta");
      channel.unit += params.deriv == 1 ? "" : fmt::format("^{}", params.deriv);
    }
  }
  return {.name = "signal", .stream = std::move(stream)};
}

class SavgolStep final : public PolyphaseStep {
 public:
  SavgolStep(const Savgol& params, const StreamInfo& in)
      : PolyphaseStep(plan_savgol(params), edge_of(params.mode), port_of(params, in)),
        params_(params) {}

  std::vector<std::string> decisions() const override {
    return {fmt::format("polynomials of order {} over {} samples, ends {}; {}", params_.polyorder,
                        params_.window_length,
                        op::Codec<SavgolMode>::write(params_.mode).as_string(),
                        sums_text(filter()))};
  }

 private:
  Savgol params_;
};

void check(const Savgol& params, const StreamInfo& in) {
  if (params.window_length % 2 == 0) {
    throw Error(
        ErrorCode::invalid_spec,
        fmt::format("window_length: {} is even; a window has a middle", params.window_length));
  }
  if (params.polyorder >= params.window_length) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("polyorder: {} is not below window_length ({})", params.polyorder,
                            params.window_length));
  }
  for (std::size_t i = 0; params.mode == SavgolMode::interp && i < in.segments.size(); ++i) {
    const std::int64_t frames = in.segments[i].frames;
    if (frames > 0 && frames < params.window_length) {
      throw Error(
          ErrorCode::invalid_spec,
          fmt::format("window_length: segment {} has {} samples; mode \"interp\" fits windows "
                      "of {}",
                      i, frames, params.window_length));
    }
  }
}

const op::Schema<Savgol>& schema() {
  using op::field;
  static const op::Schema<Savgol> kFields{
      field("window_length", &Savgol::window_length,
            {.min = 1, .max = kMostWindow, .required = true, .doc = "Samples of a window, odd."}),
      field("polyorder", &Savgol::polyorder,
            {.min = 0,
             .max = kMostOrder,
             .required = true,
             .doc = "Order of the polynomial fitted to it."}),
      field("deriv", &Savgol::deriv,
            {.min = 0, .max = kMostOrder, .doc = "0 smooths; n gives the n-th derivative."}),
      field(
          "delta", &Savgol::delta,
          {.min = 0,
           .above_min = true,
           .doc = "Distance of samples for derivatives: 1 for per sample, 1/rate for per second."}),
      field(
          "mode", &Savgol::mode,
          {.doc = "At the ends: interp, the polynomial of the first or last window; or what lies "
                  "past them: mirror, the end sample once; nearest; constant, zeros; reflect, the "
                  "end sample twice; odd, point symmetric."}),
  };
  return kFields;
}

std::unique_ptr<op::Step> plan(const Savgol& params, const op::StepContext& context) {
  check(params, context.in);
  return std::make_unique<SavgolStep>(params, context.in);
}
}  // namespace

std::span<const op::EnumName<SavgolMode>> names_of(SavgolMode) {
  static constexpr op::EnumName<SavgolMode> kNames[] = {
      {"interp", SavgolMode::interp},   {"mirror", SavgolMode::mirror},
      {"nearest", SavgolMode::nearest}, {"constant", SavgolMode::constant},
      {"reflect", SavgolMode::reflect}, {"odd", SavgolMode::odd},
      {"zero", SavgolMode::constant}};
  return kNames;
}

// With P_k orthogonal over the window, the fit's derivative at s is the sum over k of
// P_k^(d)(s) <P_k, x> / <P_k, P_k>. P_(k+1) = t P_k - b_k P_(k-1), t from -1 to 1.
std::vector<double> savgol_weights(const Savgol& params, std::int64_t at) {
  const std::int64_t half = params.window_length / 2;
  const double unit = half == 0 ? 1 : 1 / static_cast<double>(half);
  const double place = static_cast<double>(at) * unit;
  const auto size = static_cast<std::size_t>(params.window_length);
  const auto orders = static_cast<std::size_t>(params.deriv) + 1;
  std::vector<double> before(size);
  std::vector<double> now(size, 1.0);
  std::vector<double> place_before(orders);  // Derivatives of P_(k-1) and of P_k at the place.
  std::vector<double> place_now(orders);
  place_now[0] = 1;
  std::vector<double> weights(size);
  double norm_before = 1;
  for (std::int64_t k = 0; k <= params.polyorder; ++k) {
    double norm = 0;
    for (const double value : now) {
      norm += value * value;
    }
    const double factor = place_now[orders - 1] / norm;
    const double b = k == 0 ? 0 : norm / norm_before;
    for (std::size_t i = 0; i < size; ++i) {
      weights[i] += factor * now[i];
      const double t = (static_cast<double>(i) - static_cast<double>(half)) * unit;
      const double next = t * now[i] - b * before[i];
      before[i] = now[i];
      now[i] = next;
    }
    for (std::size_t d = orders; d-- > 0;) {
      const double lower = d == 0 ? 0 : static_cast<double>(d) * place_now[d - 1];
      const double next = place * place_now[d] + lower - b * place_before[d];
      place_before[d] = place_now[d];
      place_now[d] = next;
    }
    norm_before = norm;
  }
  const double scale = std::pow(unit / params.delta, static_cast<double>(params.deriv));
  for (double& weight : weights) {
    weight *= scale;
  }
  return weights;
}

const op::Operator& savgol_operator() {
  static const auto kMade =
      op::make_operator<Savgol>({.name = "savgol",
                                 .summary = "Savitzky-Golay smoothing and derivatives.",
                                 .schema = schema(),
                                 .plan = plan,
                                 .device = polyphase_device_text()});
  return *kMade;
}

}  // namespace weir::signal
