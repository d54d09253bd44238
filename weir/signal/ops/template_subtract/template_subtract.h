#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weir/op/operator.h"
#include "weir/signal/event_window.h"

namespace weir::signal {

enum class TemplateAmplitude {
  fixed,         ///< 1: the template as it is.
  least_squares  ///< What leaves the least energy in the event's window, within the bounds.
};

/// Takes what events look like out of a signal: spikes, stimulation artefacts.
struct TemplateSubtract {
  std::string templates;  ///< A .npy file, [templates, samples, channels].
  double pre_s = 0;       ///< Of a template, before its event.
  EventAlign align = EventAlign::onset;
  TemplateAmplitude amplitude = TemplateAmplitude::fixed;
  std::optional<double> amplitude_min;
  std::optional<double> amplitude_max;
  double longest_event_s = 0.1;
};

/// Templates in physical units. Shape: [templates, samples, channels].
struct TemplateArray {
  std::int64_t templates = 0;
  std::int64_t samples = 0;
  std::int64_t channels = 0;
  std::vector<double> values;
};

/// Reads a .npy array of two ([samples, channels]: one template) or three dimensions.
/// Errors: `not_found`, `io`; `corrupt_data`, `unsupported` naming the file; `invalid_spec` for
/// other shapes and values that are not finite.
TemplateArray read_templates(const std::string& file);

const op::Operator& template_subtract_operator();

}  // namespace weir::signal
