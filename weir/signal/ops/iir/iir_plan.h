#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "weir/op/operator.h"
#include "weir/signal/sections.h"

namespace weir::signal {

enum class IirMode { forward, zero_phase, zero_phase_exact };
enum class IirStart { rest, steady };
enum class IirPrecision { automatic, float32, float64 };

std::span<const op::EnumName<IirMode>> names_of(IirMode);
std::span<const op::EnumName<IirStart>> names_of(IirStart);
std::span<const op::EnumName<IirPrecision>> names_of(IirPrecision);

/// How a cascade of sections is run, whatever it was designed for.
struct IirRunning {
  IirMode mode = IirMode::forward;
  IirStart start = IirStart::rest;
  IirPrecision precision = IirPrecision::automatic;
  double tolerance =
      1e-6;  ///< Largest predicted error of full scale for float32; see `iir_error.h`.
};

/// The schema of an operator's own fields and those of `IirRunning`, its base.
template <class Params, class... Fields>
op::Schema<Params> with_running(Fields... own) {
  using op::field;
  return op::Schema<Params>(
      std::move(own)...,
      field("mode", static_cast<IirMode Params::*>(&Params::mode),
            {.doc = "forward is causal; zero_phase runs backwards too, in blocks with a run-in; "
                    "zero_phase_exact keeps the whole segment for one backward pass."}),
      field("start", static_cast<IirStart Params::*>(&Params::start),
            {.doc = "forward: start from rest, or settled at the first sample."}),
      field("precision", static_cast<IirPrecision Params::*>(&Params::precision),
            {.doc = "Type of the filter's state."}),
      field("tolerance", static_cast<double Params::*>(&Params::tolerance),
            {.min = 1e-12,
             .max = 1,
             .doc = "Error, as a share of full scale, that precision auto and the run-in of "
                    "zero_phase may cost."}));
}

/// A cascade, and what its plan says about it.
struct PlannedSections {
  Sections sections;
  std::string decision;  ///< A line of the plan; may be empty.
  /// The text of an error that says why float64 does not carry the sections, with a field's name.
  std::function<std::string(const std::string& why)> blame;
};

/// The step that runs a cascade as `iir` does.
/// Errors: `invalid_spec`: a start that the mode has not, a segment too short for the mode,
///         sections whose predicted error in float64 is above the tolerance.
std::unique_ptr<op::Step> plan_cascade(const IirRunning& running, const PlannedSections& planned,
                                       const op::StepContext& context);

/// The device kernels that the step has.
op::DeviceText iir_device_text();

}  // namespace weir::signal
