#pragma once

#include "weir/formats/format_list.h"
#include "weir/op/operator_list.h"

namespace weir::catalog {

/// Every operator of the source tree: one for each folder `signal/ops/<name>/`.
const op::OperatorList& operators();

/// Every format of the source tree: one for each folder `formats/kinds/<name>/`.
const formats::FormatList& formats();

}  // namespace weir::catalog
