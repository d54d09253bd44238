#include "weir/signal/ops/comb/comb.h"

#include <fmt/format.h>

#include <cmath>

#include "weir/signal/notch_design.h"

namespace weir::signal {
namespace {
constexpr std::int64_t kMostHarmonics = 32;

op::Schema<Comb> schema() {
  using op::field;
  return with_running<Comb>(
      field("freq_hz", &Comb::freq_hz,
            {.unit = "Hz",
             .min = 0,
             .above_min = true,
             .required = true,
             .aliases = {"freq", "w0"},
             .doc = "The fundamental to remove."}),
      field("q", &Comb::q,
            {.min = 0,
             .above_min = true,
             .aliases = {"Q"},
             .doc = "freq_hz over the distance of the -3 dB points about each harmonic."}),
      field("harmonics", &Comb::harmonics,
            {.min = 1,
             .max = kMostHarmonics,
             .doc = "How many multiples of freq_hz, itself the first; all below Nyquist unless "
                    "given."}));
}

std::int64_t count_of(const Comb& comb, double rate_hz) {
  const auto below = static_cast<std::int64_t>(std::ceil(rate_hz / 2 / comb.freq_hz)) - 1;
  const std::int64_t count = comb.harmonics.value_or(below);
  if (count > below) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("harmonics: {} of {} Hz end at {} Hz, not below Nyquist ({} Hz); at "
                            "most {}",
                            count, comb.freq_hz, static_cast<double>(count) * comb.freq_hz,
                            rate_hz / 2, below));
  }
  if (count > kMostHarmonics) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("harmonics: {} multiples of {} Hz lie below Nyquist ({} Hz); say how "
                            "many to remove, at most {}",
                            count, comb.freq_hz, rate_hz / 2, kMostHarmonics));
  }
  return count;
}

std::unique_ptr<op::Step> plan_step(const Comb& comb, const op::StepContext& context) {
  Sections sections = design(comb, context.in.rate.hz());
  const auto decision = fmt::format("{} notches, {} to {} Hz", sections.size(), comb.freq_hz,
                                    static_cast<double>(sections.size()) * comb.freq_hz);
  return plan_cascade(comb,
                      {.sections = std::move(sections),
                       .decision = decision,
                       .blame = [](const std::string& why) { return "q: " + why; }},
                      context);
}
}  // namespace

Sections design(const Comb& comb, double rate_hz) {
  const double bandwidth_hz = checked_bandwidth(comb.freq_hz, comb.q, rate_hz);
  Sections sections;
  for (std::int64_t k = 1; k <= count_of(comb, rate_hz); ++k) {
    sections.push_back(notch_section(static_cast<double>(k) * comb.freq_hz, bandwidth_hz, rate_hz));
  }
  return sections;
}

const op::Operator& comb_operator() {
  static const auto kMade = op::make_operator<Comb>({
      .name = "comb",
      .summary = "Remove a frequency and its harmonics, causal or zero-phase.",
      .schema = schema(),
      .plan = &plan_step,
      .device = iir_device_text(),
  });
  return *kMade;
}

}  // namespace weir::signal
