#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "weir/signal/ops/fir/fir.h"

namespace weir::signal {
namespace {
void check_given(const Fir& params) {
  if (params.band || !params.cutoff_hz.empty() || params.length) {
    throw Error(ErrorCode::invalid_spec,
                "taps: give either taps, or band, cutoff_hz and length, not both");
  }
  for (const double tap : params.taps) {
    if (!std::isfinite(static_cast<float>(tap))) {
      throw Error(ErrorCode::invalid_spec, fmt::format("taps: {} is not a finite float32", tap));
    }
  }
}

void check_design(const Fir& params, const SampleRate& rate) {
  if (!params.band) {
    throw Error(ErrorCode::invalid_spec, "band: is required (or taps)");
  }
  const bool two = *params.band == FirBand::bandpass || *params.band == FirBand::bandstop;
  const std::size_t wanted = two ? 2 : 1;
  if (params.cutoff_hz.size() != wanted) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("cutoff_hz: {} values, but this band has {}", params.cutoff_hz.size(),
                            two ? "two edges" : "one edge"));
  }
  const double nyquist = rate.hz() / 2;
  for (const double edge : params.cutoff_hz) {
    if (!(edge > 0 && edge < nyquist)) {
      throw Error(ErrorCode::invalid_spec,
                  fmt::format("cutoff_hz: {} Hz does not lie between 0 and Nyquist ({} Hz)", edge,
                              nyquist));
    }
  }
  if (two && params.cutoff_hz[0] >= params.cutoff_hz[1]) {
    throw Error(ErrorCode::invalid_spec, fmt::format("cutoff_hz: {} Hz is not below {} Hz",
                                                     params.cutoff_hz[0], params.cutoff_hz[1]));
  }
  if (!params.length) {
    throw Error(ErrorCode::invalid_spec, "length: is required (or taps)");
  }
  if (*params.length % 2 == 0) {
    throw Error(
        ErrorCode::invalid_spec,
        fmt::format("length: {} is even; a designed filter needs an odd length", *params.length));
  }
}
}  // namespace

std::vector<double> fir_taps(const Fir& params, const SampleRate& rate) {
  std::vector<double> taps = params.taps;
  if (!taps.empty()) {
    check_given(params);
  } else {
    check_design(params, rate);
    std::vector<double> edges = params.cutoff_hz;
    for (double& edge : edges) {
      edge /= rate.hz() / 2;
    }
    taps = windowed_sinc(*params.band, edges, *params.length, params.window);
  }
  if (params.mode == FirMode::centred && taps.size() % 2 == 0) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("taps: {} taps have no middle; mode \"centred\" needs an odd number",
                            taps.size()));
  }
  return taps;
}

PolyphasePlan plan_fir(const std::vector<double>& taps, FirMode mode) {
  const auto length = static_cast<std::int64_t>(taps.size());
  PolyphasePlan plan{.length = length};
  plan.after = mode == FirMode::centred ? (length - 1) / 2 : 0;
  plan.before = length - 1 - plan.after;
  plan.phases.push_back({-plan.before, length, 0});
  for (auto tap = taps.rbegin(); tap != taps.rend(); ++tap) {
    plan.taps.push_back(static_cast<float>(*tap));
  }
  return plan;
}

}  // namespace weir::signal
