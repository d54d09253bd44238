#include "weir/signal/running_moments.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "weir/core/error.h"
#include "weir/signal/running_rows_internal.h"

namespace weir::signal {
namespace {
/// The sums of the whole window of frame `emitted`, whose last row is `last`, the latest there is:
/// rows up to the grid, then stretches, of which the last may still lack rows.
void restart(const RunningWindow& window, RunningState& state, Block<const float> in,
             std::int64_t last) {
  std::fill(state.sums.begin(), state.sums.end(), 0.0);
  const float* centre = state.centre.as<float>().row(0);
  const std::int64_t first = std::max<std::int64_t>(0, state.emitted - window.reach);
  std::int64_t number = (first + kRunningGrid - 1) / kRunningGrid;
  for (std::int64_t row = first; row < std::min(number * kRunningGrid, last + 1); ++row) {
    add_running_row(state.row(row, in), centre, state.channels, state.sums.data());
  }
  for (; number * kRunningGrid <= last; ++number) {
    add_running_sums(state.stretch(number), state.channels, state.sums.data());
  }
}

/// Frame `emitted`, when `rows` rows are there: up to the end of its window, or all.
void emit_one(const RunningWindow& window, RunningState& state, Block<const float> in,
              std::int64_t rows, float* out) {
  const std::int64_t t = state.emitted;
  const std::int64_t first = std::max<std::int64_t>(0, t - window.reach);
  const std::int64_t last = std::min(t + window.reach, rows - 1);
  RunningRow row{.here = state.row(t, in),
                 .centre = state.centre.as<float>().row(0),
                 .of_count = 1 / static_cast<double>(last - first + 1),
                 .divide = window.divide};
  if (t % kRunningGrid == 0) {
    restart(window, state, in, last);
  } else {
    row.coming = t + window.reach < rows ? state.row(t + window.reach, in) : nullptr;
    row.going = t > window.reach ? state.row(t - window.reach - 1, in) : nullptr;
  }
  emit_running_row(row, state.channels, state.sums.data(), out);
  ++state.emitted;
}
}  // namespace

std::int64_t RunningWindow::stretches_kept() const noexcept {
  return (2 * reach + 1) / kRunningGrid + 3;
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

RunningState::RunningState(const RunningWindow& window, std::int64_t channel_count)
    : channels(channel_count),
      past(SampleType::float32, window.rows_kept(), channel_count),
      centre(SampleType::float32, 1, channel_count),
      sums(static_cast<std::size_t>(running_sums(channel_count))),
      stretches(sums.size() * static_cast<std::size_t>(window.stretches_kept())) {}

const float* RunningState::row(std::int64_t row, Block<const float> in) const noexcept {
  return row >= fed ? in.row(row - fed) : past.as<float>().row(row % past.frames());
}

double* RunningState::stretch(std::int64_t number) noexcept {
  const auto count = static_cast<std::int64_t>(stretches.size() / sums.size());
  return stretches.data() + static_cast<std::size_t>(number % count) * sums.size();
}

const double* RunningState::stretch(std::int64_t number) const noexcept {
  return const_cast<RunningState*>(this)->stretch(number);  // NOLINT: only the address is made
}

void RunningState::add_to_stretch(const float* row, std::int64_t at) {
  double* to = stretch(at / kRunningGrid);
  if (at % kRunningGrid == 0) {
    std::fill_n(to, sums.size(), 0.0);
  }
  add_running_row(row, centre.as<float>().row(0), channels, to);
}

void RunningState::rebuild_stretches() {
  const std::int64_t oldest = std::max<std::int64_t>(0, fed - past.frames());
  // One that begins before is not needed any more: windows to come begin after it does.
  const std::int64_t first = (oldest + kRunningGrid - 1) / kRunningGrid * kRunningGrid;
  for (std::int64_t row = first; row < fed; ++row) {
    add_to_stretch(past.as<float>().row(row % past.frames()), row);
  }
}

std::size_t running_state_bytes(const RunningWindow& window, std::int64_t channels) noexcept {
  return Buffer::bytes_for(SampleType::float32, window.rows_kept(), channels) +
         Buffer::bytes_for(SampleType::float32, 1, channels) +
         static_cast<std::size_t>(running_sums(channels) * (window.stretches_kept() + 1)) *
             sizeof(double);
}

void run_window(const RunningWindow& window, RunningState& state, Block<const float> in,
                op::Emission& out) {
  const Block<float> room = out.room.as<float>();
  out.frames = 0;
  for (std::int64_t k = 0; k < in.frames(); ++k) {
    const std::int64_t row = state.fed + k;
    if (row == 0) {
      std::transform(in.row(0), in.row(0) + state.channels, state.centre.as<float>().row(0),
                     [](float value) { return std::isfinite(value) ? value : 0.0F; });
    }
    state.add_to_stretch(in.row(k), row);
    if (row >= window.reach) {
      emit_one(window, state, in, row + 1, room.row(out.frames++));
    }
  }
  const std::int64_t kept = window.rows_kept();
  for (std::int64_t i = std::max<std::int64_t>(0, in.frames() - kept); i < in.frames(); ++i) {
    std::copy_n(in.row(i), state.channels, state.past.as<float>().row((state.fed + i) % kept));
  }
  state.fed += in.frames();
}

bool finish_window(const RunningWindow& window, RunningState& state, op::Emission& out) {
  const Block<float> room = out.room.as<float>();
  out.frames = 0;
  while (state.emitted < state.fed && out.frames < room.frames()) {
    emit_one(window, state, {}, state.fed, room.row(out.frames++));
  }
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
  to.put_all(state.sums);
}

void load_window(RunningState& state, op::ByteReader& from) {
  state.fed = from.get<std::int64_t>();
  state.emitted = from.get<std::int64_t>();
  const auto width = static_cast<std::size_t>(state.channels);
  for (std::int64_t row = 0; row < state.past.frames(); ++row) {
    from.get_all(std::span<float>(state.past.as<float>().row(row), width));
  }
  from.get_all(std::span<float>(state.centre.as<float>().row(0), width));
  from.get_all(std::span(state.sums));
  state.rebuild_stretches();
}

}  // namespace weir::signal
