#pragma once

#include <string>
#include <vector>

#include "weir/pipeline/plan/plan_data.h"

namespace weir::cli {

/// What of an input its outputs do not hold, a phrase each: "the streams …", "metadata: notes".
std::vector<std::string> conversion_losses(const pipeline::InputPlan& input);

}  // namespace weir::cli
