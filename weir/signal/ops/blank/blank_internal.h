#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "weir/core/buffer.h"
#include "weir/op/device_step.h"
#include "weir/signal/ops/blank/blank.h"

namespace weir::signal {

/// What one segment's blanking needs: the rows kept reach from the sample before to the one after.
struct BlankPlan {
  std::vector<BlankStretch> stretches;
  std::int64_t frames = 0;  ///< Of the segment.
  std::int64_t reach = 0;   ///< The longest stretch of any segment; 0 for zeros.
  BlankMode mode = BlankMode::zeros;
  std::int64_t rows_kept() const noexcept { return 2 * reach + 2; }
};

struct BlankState final : op::State {
  BlankState(const BlankPlan& of, const op::StartPoint& at)
      : plan(of),
        channels(at.channel_count),
        begun(at.first_frame),
        fed(at.first_frame),
        emitted(at.first_frame),
        past(SampleType::float32, of.rows_kept(), at.channel_count) {}
  const float* row(std::int64_t row, Block<const float> in) const noexcept {
    return row >= fed ? in.row(row - fed) : past.as<float>().row(row % past.frames());
  }

  const BlankPlan& plan;  ///< The step's: outlives it.
  std::int64_t channels;
  std::int64_t begun;  ///< Rows before it were never seen.
  std::int64_t fed;
  std::int64_t emitted;
  Buffer past;  ///< Row k stands at k mod rows_kept().
};

/// Outputs from `emitted` to `end`.
void blank_rows(BlankState& state, Block<const float> in, std::int64_t end, Block<float> out);

/// Blanks around the events of the step's input.
std::unique_ptr<op::Step> plan_blank_events(const Blank& params, const op::StepContext& context);

std::unique_ptr<op::DeviceStep> blank_on(const op::DevicePlace& place, const op::StartPoint& at,
                                         const BlankPlan& plan);
std::size_t blank_device_bytes(const BlankPlan& plan, std::int64_t channels) noexcept;

}  // namespace weir::signal
