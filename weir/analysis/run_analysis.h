#pragma once

#include <memory>
#include <string>
#include <vector>

#include "weir/analysis/analysis.h"
#include "weir/analysis/events.h"
#include "weir/analysis/expressions.h"
#include "weir/fit/fit_result.h"
#include "weir/formats/format_list.h"
#include "weir/likelihood/likelihood.h"

namespace weir::analysis {

/// A fit that is ready to run: what the document describes, with its events.
struct PreparedFit {
  Analysis analysis;
  Expressions expressions;
  Events events;
  std::unique_ptr<likelihood::Likelihood> likelihood;
  std::string normalisation;  ///< "in closed form", "by quadrature over 512 points", "of the
                              ///< density itself".
};

/// What came out.
struct Outcome {
  fit::FitResult result;
  /// Number of events that the density, divided by its integral, is scaled by: for plots. 1 for a
  /// rate.
  double scale = 1;
};

/// Opens the table, parses, reads, selects, builds the likelihood. Errors: what each of them says.
PreparedFit prepare_fit(Analysis analysis, const formats::FormatList& formats);

/// Minimises, and what `minimiser` asks beyond. A fit that does not converge is a result that is
/// not valid.
Outcome run_fit(PreparedFit& fit);

}  // namespace weir::analysis
