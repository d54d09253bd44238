#include "weir/signal/ops/notch/notch.h"

#include "weir/signal/notch_design.h"

namespace weir::signal {
namespace {

op::Schema<Notch> schema() {
  using op::field;
  return with_running<Notch>(
      field("freq_hz", &Notch::freq_hz,
            {.unit = "Hz",
             .min = 0,
             .above_min = true,
             .required = true,
             .aliases = {"freq", "w0"},
             .doc = "The frequency to remove."}),
      field("q", &Notch::q,
            {.min = 0,
             .above_min = true,
             .aliases = {"Q"},
             .doc = "freq_hz over the distance of the -3 dB points about it."}));
}

std::unique_ptr<op::Step> plan_step(const Notch& notch, const op::StepContext& context) {
  const double rate_hz = context.in.rate.hz();
  const double bandwidth_hz = checked_bandwidth(notch.freq_hz, notch.q, rate_hz);
  return plan_cascade(notch,
                      {.sections = {notch_section(notch.freq_hz, bandwidth_hz, rate_hz)},
                       .decision = "",
                       .blame = [](const std::string& why) { return "q: " + why; }},
                      context);
}
}  // namespace

const op::Operator& notch_operator() {
  static const auto kMade = op::make_operator<Notch>({
      .name = "notch",
      .summary = "Remove one frequency, causal or zero-phase.",
      .schema = schema(),
      .plan = &plan_step,
      .device = iir_device_text(),
  });
  return *kMade;
}

}  // namespace weir::signal
