#pragma once

#include <memory>
#include <string>
#include <vector>

#include "weir/analysis/analysis.h"
#include "weir/analysis/events.h"
#include "weir/analysis/expressions.h"
#include "weir/likelihood/term.h"

namespace weir::analysis {

struct BuiltTerms {
  std::vector<std::unique_ptr<likelihood::Term>> terms;
  std::string normalisation;
};

/// The terms of the likelihood that the document asks for.
/// Errors: `invalid_spec` for weights in binned_nll, an empty bin in chi2, a closed form that does
/// not exist.
BuiltTerms build_terms(const Analysis& analysis, const Expressions& expressions,
                       const Events& events);

}  // namespace weir::analysis
