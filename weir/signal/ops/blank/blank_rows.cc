#include <algorithm>

#include "weir/signal/ops/blank/blank_internal.h"

namespace weir::signal {
namespace {
/// The stretch that holds a frame; null when none does.
const BlankStretch* stretch_at(const std::vector<BlankStretch>& stretches, std::int64_t frame) {
  const auto after = std::upper_bound(
      stretches.begin(), stretches.end(), frame,
      [](std::int64_t value, const BlankStretch& stretch) { return value < stretch.first; });
  return after != stretches.begin() && frame < std::prev(after)->end ? &*std::prev(after) : nullptr;
}

/// A row of a stretch on the line between its neighbours; one that is missing has the other's
/// value.
void fill_line(const float* left, const float* right, float part, std::int64_t channels,
               float* out) {
  if (left == nullptr && right == nullptr) {
    std::fill_n(out, channels, 0.0F);
  } else if (left == nullptr || right == nullptr) {
    std::copy_n(left == nullptr ? right : left, channels, out);
  } else {
    for (std::int64_t c = 0; c < channels; ++c) {
      out[c] = left[c] + (right[c] - left[c]) * part;
    }
  }
}
}  // namespace

void blank_rows(BlankState& state, Block<const float> in, std::int64_t end, Block<float> out) {
  const BlankPlan& plan = state.plan;
  for (std::int64_t k = 0; state.emitted < end; ++k, ++state.emitted) {
    const std::int64_t frame = state.emitted;
    const BlankStretch* stretch = stretch_at(plan.stretches, frame);
    if (stretch == nullptr) {
      std::copy_n(state.row(frame, in), state.channels, out.row(k));
    } else if (plan.mode == BlankMode::zeros) {
      std::fill_n(out.row(k), state.channels, 0.0F);
    } else {
      const bool has_left = stretch->first > state.begun;
      const bool has_right = stretch->end < plan.frames;
      const double steps = static_cast<double>(stretch->end - stretch->first + 1);
      fill_line(has_left ? state.row(stretch->first - 1, in) : nullptr,
                has_right ? state.row(stretch->end, in) : nullptr,
                static_cast<float>(static_cast<double>(frame - stretch->first + 1) / steps),
                state.channels, out.row(k));
    }
  }
}

}  // namespace weir::signal
