#pragma once

#include <string>
#include <vector>

#include "weir/core/error.h"
#include "weir/pipeline/input/input.h"

namespace weir::pipeline {

/// What is wrong with a `read` whose fields are of the right types, before any file is opened.
void check_read(const Read& read, const std::string& node, std::vector<Problem>& problems);

}  // namespace weir::pipeline
