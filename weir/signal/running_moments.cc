#include "weir/signal/running_moments.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "weir/core/error.h"
#include "weir/signal/running_rows_internal.h"

namespace weir::signal {
namespace {
/// The frames of `in` seen so far and the rows of the segment that are there.
std::int64_t available(const RunningState& state, Block<const float> in) noexcept {
  return state.fed + in.frames();
}

void restart(const RunningWindow& window, RunningState& state, Block<const float> in,
             std::int64_t last) {
  for (auto* part : {&state.sums.sum, &state.sums.squares, &state.sums.bad}) {
    std::fill(part->begin(), part->end(), 0.0);
  }
  const float* centre = state.centre.as<float>().row(0);
  for (std::int64_t row = std::max<std::int64_t>(0, state.emitted - window.reach); row <= last;
       ++row) {
    add_running_row(state.row(row, in), centre, state.channels, state.sums);
  }
}

/// Outputs from `emitted` up to `end`, whose windows end where the rows do at the latest.
void emit_until(const RunningWindow& window, RunningState& state, Block<const float> in,
                std::int64_t end, op::Emission& out) {
  const Block<float> room = out.room.as<float>();
  const std::int64_t rows = available(state, in);
  out.frames = 0;
  for (; state.emitted < end; ++state.emitted) {
    const std::int64_t t = state.emitted;
    const std::int64_t first = std::max<std::int64_t>(0, t - window.reach);
    const std::int64_t last = std::min(t + window.reach, rows - 1);
    RunningRow row{.here = state.row(t, in),
                   .centre = state.centre.as<float>().row(0),
                   .of_count = 1 / static_cast<double>(last - first + 1),
                   .divide = window.divide};
    if (t % window.restart_frames() == 0) {
      restart(window, state, in, last);
    } else {
      row.coming = t + window.reach < rows ? state.row(t + window.reach, in) : nullptr;
      row.going = t > window.reach ? state.row(t - window.reach - 1, in) : nullptr;
    }
    emit_running_row(row, state.channels, state.sums, room.row(out.frames++));
  }
}
}  // namespace

std::int64_t RunningWindow::restart_frames() const noexcept {
  // A restart adds a whole window: an eighth of it on, that is 8 additions an output. Devices want
  // many blocks, each an item.
  return std::max<std::int64_t>(256, (2 * reach + 1) / 8);
}

RunningWindow running_window(double seconds, const SampleRate& rate, bool divide,
                             std::string_view field) {
  if (!(seconds > 0) || !std::isfinite(seconds)) {
    throw Error(ErrorCode::invalid_spec, fmt::format("{}: {} is not positive", field, seconds));
  }
  constexpr double kMostFrames = 1 << 26;
  if (seconds * rate.hz() > kMostFrames) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("{}: {} s are over {:.0f} frames", field, seconds, kMostFrames));
  }
  const std::int64_t frames = in_context(field, [&] { return rate.nearest_frames(seconds); });
  if (frames < 3) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("{}: {} s are {} frames at {}, at least 3 are needed", field, seconds,
                            frames, rate.text()));
  }
  return {frames / 2, divide};
}

RunningSums::RunningSums(std::int64_t channels)
    : sum(static_cast<std::size_t>(padded_channels(channels))),
      squares(sum.size()),
      bad(sum.size()) {}

RunningState::RunningState(const RunningWindow& window, std::int64_t channel_count)
    : channels(channel_count),
      past(SampleType::float32, window.rows_kept(), channel_count),
      centre(SampleType::float32, 1, channel_count),
      sums(channel_count) {}

const float* RunningState::row(std::int64_t row, Block<const float> in) const noexcept {
  return row >= fed ? in.row(row - fed) : past.as<float>().row(row % past.frames());
}

std::size_t running_state_bytes(const RunningWindow& window, std::int64_t channels) noexcept {
  return Buffer::bytes_for(SampleType::float32, window.rows_kept(), channels) +
         Buffer::bytes_for(SampleType::float32, 1, channels) +
         static_cast<std::size_t>(padded_channels(channels)) * 3 * sizeof(double);
}

void run_window(const RunningWindow& window, RunningState& state, Block<const float> in,
                op::Emission& out) {
  if (state.fed == 0 && in.frames() > 0) {
    float* centre = state.centre.as<float>().row(0);
    std::transform(in.row(0), in.row(0) + state.channels, centre,
                   [](float value) { return std::isfinite(value) ? value : 0.0F; });
  }
  const std::int64_t end = std::max(state.emitted, available(state, in) - window.reach);
  emit_until(window, state, in, end, out);
  const std::int64_t kept = window.rows_kept();
  for (std::int64_t i = std::max<std::int64_t>(0, in.frames() - kept); i < in.frames(); ++i) {
    std::copy_n(in.row(i), state.channels, state.past.as<float>().row((state.fed + i) % kept));
  }
  state.fed += in.frames();
}

bool finish_window(const RunningWindow& window, RunningState& state, op::Emission& out) {
  emit_until(window, state, {}, std::min(state.fed, state.emitted + out.room.frames()), out);
  return state.emitted == state.fed;
}

void save_window(const RunningState& state, op::ByteWriter& to) {
  to.put(state.fed);
  to.put(state.emitted);
  const auto width = static_cast<std::size_t>(state.channels);
  for (std::int64_t row = 0; row < state.past.frames(); ++row) {
    to.put_all(std::span<const float>(state.past.as<float>().row(row), width));
  }
  to.put_all(std::span<const float>(state.centre.as<float>().row(0), width));
  to.put_all(state.sums.sum);
  to.put_all(state.sums.squares);
  to.put_all(state.sums.bad);
}

void load_window(RunningState& state, op::ByteReader& from) {
  state.fed = from.get<std::int64_t>();
  state.emitted = from.get<std::int64_t>();
  const auto width = static_cast<std::size_t>(state.channels);
  for (std::int64_t row = 0; row < state.past.frames(); ++row) {
    from.get_all(std::span<float>(state.past.as<float>().row(row), width));
  }
  from.get_all(std::span<float>(state.centre.as<float>().row(0), width));
  from.get_all(std::span(state.sums.sum));
  from.get_all(std::span(state.sums.squares));
  from.get_all(std::span(state.sums.bad));
}

}  // namespace weir::signal
