#include "weir/signal/ops/peak/peak.h"

#include "weir/signal/notch_design.h"

namespace weir::signal {
namespace {

op::Schema<Peak> schema() {
  using op::field;
  return with_running<Peak>(
      field("freq_hz", &Peak::freq_hz,
            {.unit = "Hz",
             .min = 0,
             .above_min = true,
             .required = true,
             .aliases = {"freq", "w0"},
             .doc = "The frequency to keep."}),
      field("q", &Peak::q,
            {.min = 0,
             .above_min = true,
             .aliases = {"Q"},
             .doc = "freq_hz over the distance of the -3 dB points about it."}));
}

std::unique_ptr<op::Step> plan_step(const Peak& peak, const op::StepContext& context) {
  const double rate_hz = context.in.rate.hz();
  const double bandwidth_hz = checked_bandwidth(peak.freq_hz, peak.q, rate_hz);
  return plan_cascade(peak,
                      {.sections = {peak_section(peak.freq_hz, bandwidth_hz, rate_hz)},
                       .decision = "",
                       .blame = [](const std::string& why) { return "q: " + why; }},
                      context);
}
}  // namespace

const op::Operator& peak_operator() {
  static const auto kMade = op::make_operator<Peak>({
      .name = "peak",
      .summary = "Keep one frequency, causal or zero-phase.",
      .schema = schema(),
      .plan = &plan_step,
      .device = iir_device_text(),
  });
  return *kMade;
}

}  // namespace weir::signal
