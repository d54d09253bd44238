#pragma once

#include "weir/pipeline/input/input.h"
#include "weir/pipeline/spec/spec.h"

namespace weir::pipeline {

/// Stands for what `read` would open in a spec that reads only tables of events: no segment, and
/// named by the first table.
Input no_recording(const Spec& spec);

}  // namespace weir::pipeline
