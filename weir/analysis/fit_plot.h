#pragma once

#include <string>

#include "weir/analysis/run_analysis.h"

namespace weir::analysis {

/// A picture of a fit as SVG: the events in bins with their errors, the model and its components,
/// and below the pulls (count - model) / error. Errors: `unsupported` where the density reads other
/// columns than its variable.
std::string fit_plot(const PreparedFit& fit, const Outcome& outcome);

}  // namespace weir::analysis
