#pragma once

#include <string>

#include "weir/analysis/run_analysis.h"
#include "weir/core/value.h"

namespace weir::analysis {

/// What a fit found, for people: events, parameters with their errors, how it ended.
std::string analysis_report(const PreparedFit& fit, const Outcome& outcome);

/// The same as a document, with its version: `weir_analysis_result`.
Value analysis_document(const PreparedFit& fit, const Outcome& outcome);

}  // namespace weir::analysis
