#include <fmt/format.h>

#include <algorithm>

#include "weir/compute/target.h"
#include "weir/core/memory_budget.h"
#include "weir/core/text.h"
#include "weir/signal/ops/iir/iir_error.h"
#include "weir/signal/ops/iir/iir_zero_phase_device_internal.h"

namespace weir::signal {
namespace {
Block<float> reversed(Block<float> rows) noexcept {
  return {rows.row(rows.frames() - 1), rows.frames(), rows.channels(), -rows.stride()};
}

void copy_row(const float* from, float* to, std::int64_t channels) noexcept {
  std::copy_n(from, channels, to);
}

/// `to` becomes the point reflection of `inner` about `end`.
void reflect(const float* end, const float* inner, float* to, std::int64_t channels) noexcept {
  for (std::int64_t c = 0; c < channels; ++c) {
    to[c] = 2 * end[c] - inner[c];
  }
}

/// Forward over the odd-extended segment into a spool, then backward in blocks. Where a block's
/// backward pass begins, the state is put together from the end states of the blocks after it, each
/// moved on by a power of the transition matrix: nothing is run in twice.
template <class T>
class ZeroPhaseStep final : public op::Step {
  using Mine = ZeroPhaseState<T>;

 public:
  ZeroPhaseStep(IirPlan plan, ZeroPhaseGrid grid)
      : plan_(std::move(plan)),
        grid_(std::move(grid)),
        coefficients_(delta_coefficients<T>(plan_.sections)),
        steady_(steady_state(plan_.sections)),
        ports_{output_port(plan_.context.in)} {
    const std::vector<double> used(coefficients_.begin(), coefficients_.end());
    transition_ = state_transition(used, grid_.block);
    for (const Segment& segment : plan_.context.in.segments) {
      longest_ = std::max(longest_, segment.frames);
    }
  }

  const std::vector<op::Port>& ports() const noexcept override { return ports_; }
  op::Parallel parallel() const noexcept override { return op::Parallel::channels; }
  op::Latency latency() const noexcept override {
    const std::int64_t held = grid_.block > 0 ? (grid_.ahead + 1) * grid_.block : longest_;
    return {held, held};
  }
  std::int64_t settle_frames() const noexcept override { return plan_.run_in; }
  std::size_t state_bytes(std::int64_t channels) const noexcept override {
    return ZeroPhaseState<T>::bytes_for(grid_, plan_.sections.size(), channels);
  }
  std::size_t temporary_bytes() const noexcept override {
    return grid_.spool.file_bytes(plan_.context.in.channel_count());
  }
  double tolerance() const noexcept override { return 2 * plan_.tolerance; }
  std::vector<std::string> decisions() const override {
    const std::int64_t channels = plan_.context.in.channel_count();
    const std::string held = fmt::format(
        "latency {} frames, {}", grouped(latency().steady),
        grid_.spool.in_file ? fmt::format("{} in a temporary file", bytes_text(temporary_bytes()))
                            : fmt::format("{} held", bytes_text(state_bytes(channels))));
    std::vector<std::string> lines = plan_.decisions;
    if (plan_.running.mode == IirMode::zero_phase_exact) {
      lines.push_back("zero_phase_exact: one backward pass; " + held);
    } else {
      lines.push_back(
          fmt::format("zero_phase: run-in {} frames ({}), blocks of {}; {}", grouped(plan_.run_in),
                      duration_text(static_cast<double>(plan_.run_in) / plan_.context.in.rate.hz()),
                      grid_.block > 0 ? grouped(grid_.block) : "whole segments", held));
    }
    return lines;
  }

  std::unique_ptr<op::State> start(const op::StartPoint& at) const override {
    return std::make_unique<ZeroPhaseState<T>>(grid_, plan_.sections.size(), at);
  }
  void run(op::State& state, AnyBlock in, std::span<op::Emission> out) const override;
  bool finish(op::State& state, std::span<op::Emission> out) const override;
  /// What the CPU would keep in a file is not kept on a device.
  bool runs_on(const compute::Target& target) const noexcept override {
    return !grid_.spool.in_file && (std::is_same_v<T, float> || target.fp64);
  }
  std::unique_ptr<op::DeviceStep> device(const op::DevicePlace& place,
                                         const op::StartPoint& at) const override {
    if (grid_.spool.in_file) {
      return nullptr;
    }
    return std::make_unique<ZeroPhaseOnDevice<T>>(place, plan_.sections, grid_, at);
  }
  std::size_t device_bytes(std::int64_t channels, std::int64_t frames) const noexcept override {
    return zero_phase_device_bytes(grid_, plan_.sections.size(), channels, frames, sizeof(T));
  }

  void save(const op::State& state, op::ByteWriter& to) const override {
    save_zero_phase(static_cast<const Mine&>(state), to);
  }
  void load(op::State& state, op::ByteReader& from) const override {
    load_zero_phase(static_cast<Mine&>(state), from);
  }

 private:
  static constexpr std::int64_t kChunk = kLanePadding;

  float* edge_row(const Mine& mine, std::int64_t frame) const {
    return mine.edge.template as<float>().row(frame % (grid_.padlen + 1));
  }
  std::int64_t gather(Mine& mine, Block<const float> in) const;
  void begin(Mine& mine) const;
  std::int64_t next_length(const Mine& mine, std::int64_t left) const;
  void absorb(Mine& mine, Block<const float> rows) const;
  void remember(Mine& mine, Block<const float> rows) const;
  void close_block(Mine& mine) const;
  void combine_ends(Mine& mine, std::int64_t block) const;
  void move_and_add(Mine& mine, const CascadeState<T>& end, std::int64_t lane) const;
  void walk_back(Mine& mine, CascadeState<T>& cascade, std::int64_t first, std::int64_t last) const;
  void measure_end(Mine& mine, CascadeState<T>& cascade, std::int64_t first,
                   std::int64_t last) const;
  void end_segment(Mine& mine) const;
  void emit(Mine& mine, op::Emission& out, std::int64_t most) const;

  IirPlan plan_;
  ZeroPhaseGrid grid_;
  std::vector<T> coefficients_;
  std::vector<DeltaState> steady_;
  std::vector<op::Port> ports_;
  SquareMatrix transition_;  ///< Of the state, over one block without input.
  std::int64_t longest_ = 0;
};

template <class T>
void ZeroPhaseStep<T>::run(op::State& state, AnyBlock in, std::span<op::Emission> out) const {
  auto& mine = static_cast<Mine&>(state);
  const auto rows = in.as<const float>();
  out[0].frames = 0;
  for (std::int64_t done = 0; done < rows.frames();) {
    const auto left = rows.slice(done, rows.frames() - done);
    if (mine.from_the_edge && mine.seen <= grid_.padlen) {
      done += gather(mine, left);
      continue;
    }
    if (mine.seen == 0) {
      mine.forward.settle(steady_, left.row(0));
    }
    const std::int64_t count = next_length(mine, left.frames());
    emit(mine, out[0], count);  // first: the ring has no row to spare
    absorb(mine, left.slice(0, count));
    remember(mine, left.slice(0, count));
    done += count;
  }
}

/// The first frames wait until the odd extension before them can be made.
template <class T>
std::int64_t ZeroPhaseStep<T>::gather(Mine& mine, Block<const float> in) const {
  const std::int64_t count = std::min(in.frames(), grid_.padlen + 1 - mine.seen);
  remember(mine, in.slice(0, count));
  if (mine.seen == grid_.padlen + 1) {
    begin(mine);
  }
  return count;
}

template <class T>
void ZeroPhaseStep<T>::begin(Mine& mine) const {
  const std::int64_t padlen = mine.seen - 1;
  const auto extension = mine.extension.first(padlen).template as<float>();
  const auto edge = mine.edge.first(mine.seen).template as<float>();
  for (std::int64_t i = 0; i < padlen; ++i) {
    reflect(edge.row(0), edge.row(padlen - i), extension.row(i), mine.channels);
  }
  mine.forward.settle(steady_, padlen > 0 ? extension.row(0) : edge.row(0));
  advance_rows(mine.forward.with(coefficients_), extension);
  for (std::int64_t done = 0; done < edge.frames();) {
    const std::int64_t count = next_length(mine, edge.frames() - done);
    absorb(mine, edge.slice(done, count));
    done += count;
  }
}

/// Frames to take in one go: to the end of the block, or of what the spool shows at once.
template <class T>
std::int64_t ZeroPhaseStep<T>::next_length(const Mine& mine, std::int64_t left) const {
  const std::int64_t block =
      grid_.block > 0 ? std::min(left, grid_.block - mine.filtered % grid_.block) : left;
  return mine.spool.reach(mine.filtered, block);
}

template <class T>
void ZeroPhaseStep<T>::absorb(Mine& mine, Block<const float> rows) const {
  const Block<float> room = mine.spool.room(mine.filtered, rows.frames());
  filter_rows(mine.forward.with(coefficients_), rows, room);
  mine.spool.store(mine.filtered, room);
  mine.filtered += rows.frames();
  mine.scan.into_span = 0;
  if (grid_.block > 0 && mine.filtered % grid_.block == 0) {
    close_block(mine);
  }
}

template <class T>
void ZeroPhaseStep<T>::remember(Mine& mine, Block<const float> rows) const {
  const std::int64_t first = std::max<std::int64_t>(0, rows.frames() - grid_.padlen - 1);
  for (std::int64_t i = first; i < rows.frames(); ++i) {
    copy_row(rows.row(i), edge_row(mine, mine.seen + i), mine.channels);
  }
  mine.seen += rows.frames();
}

template <class T>
void ZeroPhaseStep<T>::close_block(Mine& mine) const {
  const std::int64_t closed = mine.filtered / grid_.block - 1;
  CascadeState<T>& end = mine.ends[static_cast<std::size_t>(closed % (grid_.ahead + 1))];
  end.rest();
  measure_end(mine, end, closed * grid_.block, mine.filtered);
  const std::int64_t final = closed - grid_.ahead;
  if (final >= 0) {
    combine_ends(mine, final);
    walk_back(mine, mine.backward, final * grid_.block, (final + 1) * grid_.block);
    mine.ready = (final + 1) * grid_.block;
  }
}

/// The state in which the backward pass enters `block`, by Horner's rule over the blocks after it.
template <class T>
void ZeroPhaseStep<T>::combine_ends(Mine& mine, std::int64_t block) const {
  const auto end_of = [&](std::int64_t k) -> const CascadeState<T>& {
    return mine.ends[static_cast<std::size_t>(k % (grid_.ahead + 1))];
  };
  const auto farthest = end_of(block + grid_.ahead).values();
  std::copy(farthest.begin(), farthest.end(), mine.backward.values().begin());
  for (std::int64_t lane = 0; lane < mine.backward.lanes(); lane += kChunk) {
    for (std::int64_t k = block + grid_.ahead - 1; k > block; --k) {
      move_and_add(mine, end_of(k), lane);
    }
  }
}

/// backward = end + transition * backward, for `kChunk` lanes.
template <class T>
void ZeroPhaseStep<T>::move_and_add(Mine& mine, const CascadeState<T>& end,
                                    std::int64_t lane) const {
  const std::int64_t lanes = mine.backward.lanes();
  T* state = mine.backward.data() + lane;
  const T* add = end.data() + lane;
  const auto sections = static_cast<std::int64_t>(plan_.sections.size());
  // A section feels itself and those before it: from the last to the first, in place.
  for (std::int64_t i = sections - 1; i >= 0; --i) {
    double s1[kChunk];
    double s2[kChunk];
    std::copy_n(add + 2 * i * lanes, kChunk, s1);
    std::copy_n(add + (2 * i + 1) * lanes, kChunk, s2);
    for (std::int64_t j = 0; j < 2 * i + 2; ++j) {
      const double to_s1 =
          transition_(static_cast<std::size_t>(2 * i), static_cast<std::size_t>(j));
      const double to_s2 =
          transition_(static_cast<std::size_t>(2 * i + 1), static_cast<std::size_t>(j));
      const T* from = state + j * lanes;
      for (std::int64_t c = 0; c < kChunk; ++c) {
        s1[c] += to_s1 * static_cast<double>(from[c]);
        s2[c] += to_s2 * static_cast<double>(from[c]);
      }
    }
    for (std::int64_t c = 0; c < kChunk; ++c) {
      state[2 * i * lanes + c] = static_cast<T>(s1[c]);
      state[(2 * i + 1) * lanes + c] = static_cast<T>(s2[c]);
    }
  }
}

/// The backward pass over rows `first` to `last`, in place.
template <class T>
void ZeroPhaseStep<T>::walk_back(Mine& mine, CascadeState<T>& cascade, std::int64_t first,
                                 std::int64_t last) const {
  while (last > first) {
    const std::int64_t count = mine.spool.reach_back(last, last - first);
    last -= count;
    const Block<float> rows = mine.spool.rows(last, count);
    filter_rows(cascade.with(coefficients_), reversed(rows), reversed(rows));
    mine.spool.store(last, rows);
  }
}

/// The same for the state alone.
template <class T>
void ZeroPhaseStep<T>::measure_end(Mine& mine, CascadeState<T>& cascade, std::int64_t first,
                                   std::int64_t last) const {
  while (last > first) {
    const std::int64_t count = mine.spool.reach_back(last, last - first);
    last -= count;
    advance_rows(cascade.with(coefficients_), reversed(mine.spool.rows(last, count)));
  }
}

/// The odd extension after the segment, forward and back, then every row that is not final yet.
template <class T>
void ZeroPhaseStep<T>::end_segment(Mine& mine) const {
  if (mine.filtered == 0) {
    begin(mine);
  }
  const std::int64_t padlen = std::min(grid_.padlen, mine.seen - 1);
  const auto extension = mine.extension.first(padlen).template as<float>();
  for (std::int64_t i = 0; i < padlen; ++i) {
    reflect(edge_row(mine, mine.seen - 1), edge_row(mine, mine.seen - 2 - i), extension.row(i),
            mine.channels);
  }
  if (padlen > 0) {
    filter_rows(mine.forward.with(coefficients_), extension, extension);
    mine.backward.settle(steady_, extension.row(padlen - 1));
    advance_rows(mine.backward.with(coefficients_), reversed(extension));
  } else {
    mine.backward.settle(steady_, mine.spool.rows(mine.filtered - 1, 1).row(0));
  }
  walk_back(mine, mine.backward, mine.ready, mine.filtered);
  mine.ready = mine.filtered;
  mine.ended = true;
}

template <class T>
bool ZeroPhaseStep<T>::finish(op::State& state, std::span<op::Emission> out) const {
  auto& mine = static_cast<Mine&>(state);
  out[0].frames = 0;
  if (mine.seen == 0) {
    return true;
  }
  if (!mine.ended) {
    end_segment(mine);
  }
  emit(mine, out[0], out[0].room.frames());
  return mine.emitted == mine.filtered;
}

template <class T>
void ZeroPhaseStep<T>::emit(Mine& mine, op::Emission& out, std::int64_t most) const {
  for (most = std::min(most, mine.ready - mine.emitted); most > 0;) {
    const std::int64_t count = mine.spool.reach(mine.emitted, most);
    const Block<float> rows = mine.spool.rows(mine.emitted, count);
    const auto room = out.room.as<float>();
    for (std::int64_t i = 0; i < count; ++i) {
      copy_row(rows.row(i), room.row(out.frames + i), mine.channels);
    }
    out.frames += count;
    mine.emitted += count;
    most -= count;
  }
}

template <class T>
std::unique_ptr<op::Step> make_step(IirPlan plan) {
  ZeroPhaseGrid grid;
  std::int64_t longest = 0;
  for (const Segment& segment : plan.context.in.segments) {
    longest = std::max(longest, segment.frames);
  }
  grid.padlen = default_padlen(plan.sections);
  grid.spool.rows = longest;
  grid.spool.folder = plan.context.temporary_folder;
  if (plan.running.mode == IirMode::zero_phase) {
    constexpr std::int64_t kParts = 16;
    // Whole cells of a device's scan, so that all targets cut alike. They are longer than an edge.
    const std::int64_t cell = kScanGrid.block;
    const std::int64_t cells = (plan.run_in + kParts * cell - 1) / (kParts * cell);
    const std::int64_t block = cells * cell;
    const std::int64_t ahead = (plan.run_in + block - 1) / block;
    if ((ahead + 1) * block <= longest) {  // else no block is final before the end
      grid.block = block;
      grid.ahead = ahead;
      grid.spool.rows = (ahead + 1) * block;
    }
  }
  const std::int64_t channels = plan.context.in.channel_count();
  grid.spool.in_file = ZeroPhaseState<T>::bytes_for(grid, plan.sections.size(), channels) >
                       plan.context.memory_bytes;
  return std::make_unique<ZeroPhaseStep<T>>(std::move(plan), std::move(grid));
}
}  // namespace

std::unique_ptr<op::Step> make_zero_phase_step(IirPlan plan) {
  return plan.float32_state ? make_step<float>(std::move(plan))
                            : make_step<double>(std::move(plan));
}

}  // namespace weir::signal
