#include <algorithm>

#include "weir/signal/ops/remove_saturation/remove_saturation_internal.h"

namespace weir::signal {

SaturationState::SaturationState(const SaturationRules& rules, const op::StartPoint& at)
    : channels(at.channel_count),
      first_channel(at.first_channel),
      begun(at.first_frame),
      fed(at.first_frame),
      emitted(at.first_frame),
      past(SampleType::float32, rules.rows_kept(), at.channel_count),
      any(static_cast<std::size_t>(rules.rows_kept())),
      marks(any.size() * static_cast<std::size_t>(padded_channels(at.channel_count))),
      since(static_cast<std::size_t>(padded_channels(at.channel_count)), kNotSince),
      runs(static_cast<std::size_t>(at.channel_count)) {}

void SaturationState::mark(const SaturationRules& rules, const float* row, std::int64_t at) {
  const SaturationLevels levels{rules.least.data() + first_channel,
                                rules.most.data() + first_channel};
  const auto reach = static_cast<std::int32_t>(rules.before + rules.after);
  const bool found = count_since(row, levels, reach, channels, since.data());
  const std::int64_t of = at - rules.before;
  if (of < begun) {
    return;
  }
  any[slot(of)] = found ? 1 : 0;
  if (found) {
    std::uint8_t* to = marks.data() + slot(of) * since.size();
    std::transform(since.begin(), since.end(), to,
                   [&](std::int32_t frames) { return frames <= reach ? 1 : 0; });
  }
}

void SaturationState::rebuild_from_past(const SaturationRules& rules) {
  std::fill(since.begin(), since.end(), kNotSince);
  std::fill(runs.begin(), runs.end(), SaturationRun{});
  for (std::int64_t row = std::max(begun, fed - past.frames()); row < fed; ++row) {
    mark(rules, past.as<float>().row(row % past.frames()), row);
  }
}

}  // namespace weir::signal
