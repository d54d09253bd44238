#pragma once

#include "weir/op/operator.h"

namespace weir::signal {

enum class RectifyMode {
  full,  ///< |x|
  half   ///< max(x, 0)
};

/// Rectifies physical values.
struct Rectify {
  RectifyMode mode = RectifyMode::full;
};

/// -1 where counts have the opposite sign of physical values, else +1.
/// Shape: `padded_channels` entries; padding is +1.
std::vector<float> physical_signs(const std::vector<Channel>& channels);

const op::Operator& rectify_operator();

}  // namespace weir::signal
