#pragma once

#include "weir/formats/kinds/edf/edf_output.h"

namespace weir::formats {

/// Turns the output's annotations into lists, and finds the least room in every data record that
/// takes each in the record it begins in or a later one, the last ones in the last record.
/// Errors: `unsupported` when a record would need more than 64 KiB for them.
void plan_edf_lists(const RecordingOutput& output, EdfOutput& plan);

}  // namespace weir::formats
