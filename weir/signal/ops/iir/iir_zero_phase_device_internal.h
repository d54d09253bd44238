#pragma once

#include "weir/signal/ops/iir/iir_device_internal.h"
#include "weir/signal/ops/iir/iir_zero_phase_internal.h"

namespace weir::signal {

inline constexpr std::int64_t kCell = kScanGrid.block;
inline constexpr std::int64_t kNoRing = std::int64_t{1} << 60;

/// Where what a zero-phase filter keeps lies in device memory. Cells of the ring are as long as a
/// block of the scan; a block of the backward pass is whole cells.
struct ZeroPhaseLayout {
  std::int64_t state;  ///< Elements of one; all places count in elements of the state's type.
  Place now, sum, back, start, span_start, span_sum;
  std::int64_t turned;
  std::int64_t scan;   ///< What the forward pass knows of each block of a call …
  std::int64_t spans;  ///< … and of each span.
  std::int64_t cells;  ///< Ring: what each cell leaves behind, then how it is entered.
  std::int64_t ends;   ///< Ring: what each block of the backward pass leaves behind.
  std::int64_t end;

  bool waits;              ///< For the end of the segment: no row is final before.
  std::int64_t block;      ///< Frames of a block of the backward pass.
  std::int64_t per_block;  ///< Its cells.
  std::int64_t rows;       ///< Of the ring: a multiple of `block`.
  std::int64_t cell_count;
  std::int64_t block_count;
  std::int64_t final_rows;  ///< That have become final and may wait to be emitted.
  std::int64_t edges;       ///< Input rows kept for the odd extension.

  ZeroPhaseLayout(const ZeroPhaseGrid& grid, std::int64_t sections, std::int64_t channels,
                  std::int64_t max_frames);

  /// What cells leave behind is that of blocks where a block is one cell.
  std::int64_t left_behind() const noexcept { return !waits && per_block == 1 ? ends : cells; }
};

/// A walk over states, as both kernels of iir_walk.cl take it.
struct Walk {
  const compute::Buffer& matrix;
  std::int64_t rows;
  std::int64_t ring = kNoRing;
  std::int64_t begin = 0;
  std::int32_t direction = 1;
  std::int64_t count;
  std::int32_t before = 0;
  std::int64_t length;
  std::int64_t chains;
};
/// What `iir_starts` walks over first.
struct Approach {
  const compute::Buffer& matrix;
  std::int64_t rows = 0;
  std::int64_t ring = kNoRing;
  std::int64_t begin = 0;
  std::int32_t jump = 0;
  std::int64_t count = 0;
};
/// From where, and what becomes of it.
struct WalkEnds {
  std::int64_t first = kRest;
  std::int64_t others = kRest;
  std::int64_t kept = 0;
  std::int64_t middle = kNowhere;
  std::int64_t last = kNowhere;
};

/// The zero-phase filter on a device; see iir_zero_phase.cl.
template <class T>
class ZeroPhaseOnDevice final : public op::DeviceStep {
 public:
  ZeroPhaseOnDevice(const op::DevicePlace& place, std::span<const Section> sections,
                    const ZeroPhaseGrid& grid, const op::StartPoint& at);

  void run(const op::DeviceBlock& in, std::span<op::DeviceEmission> out) override;
  bool finish(std::span<op::DeviceEmission> out) override;
  void hand_over(op::State& to) const override;
  void take_over(const op::State& from) override;

 private:
  void make_kernels(compute::Device& device);
  void fill_tables(compute::Device& device);

  compute::Range items(std::int64_t each_channel) const {
    return {.items = {each_channel * channels_, 1}, .group = kGroup};
  }
  static void swap(Place& place) noexcept { std::swap(place.read, place.write); }
  std::int64_t start_of_block() const noexcept {
    return into_span_ < kCell ? at_.span_start.read : at_.start.read;
  }
  std::int64_t now() const noexcept {
    return into_span_ % kCell != 0 ? at_.now.read : start_of_block();
  }

  void take(const op::DeviceBlock& in);
  void begin_without_frames();
  void launch_ahead_sum(const CallShape& shape, const op::DeviceBlock& in, std::int64_t frames,
                        std::int64_t padlen);
  void launch_forward_walks(const CallShape& shape);
  void launch_ahead_filter(const op::DeviceBlock& in, std::int64_t blocks);
  void close_blocks(std::int64_t filtered_before);
  void sum_blocks(std::int64_t first, std::int64_t last);
  void end_segment();
  void emit(op::DeviceEmission& out, std::int64_t most);
  void launch_back_filter(std::int64_t count, const op::DeviceBlock& room) const;
  void launch_level(const Walk& walk, const WalkEnds& ends, std::int64_t to, std::int64_t to_ring,
                    std::int64_t to_begin);
  void launch_starts(const Walk& walk, const Approach& approach, const WalkEnds& ends);
  compute::Range walkers(std::int64_t chains) const {
    constexpr std::int64_t kAhead = 2 + kStepsAhead;
    const std::int64_t groups = (channels_ + lanes_ - 1) / lanes_ * chains;
    const std::int64_t group = std::int64_t{2} * sections_ * lanes_;
    return {.items = {groups * group, 1},
            .group = {group, 1},
            .local_bytes = static_cast<std::size_t>(kAhead * group) * sizeof(T)};
  }

  void download_rows(const compute::Buffer& from, std::int64_t base, std::int64_t first,
                     std::int64_t last, Spool& to) const;
  void upload_rows(const Spool& from, std::int64_t first, std::int64_t last);
  void hand_over_forward(ZeroPhaseState<T>& to) const;
  void take_over_forward(const ZeroPhaseState<T>& from);

  static constexpr auto kBlock = static_cast<std::int32_t>(kCell);
  compute::Queue& queue_;
  compute::Kernel ahead_sum_, ahead_filter_, back_sum_, back_filter_, turn_, level_, starts_,
      entries_;
  Sections sections_of_;
  std::int32_t sections_;
  std::int32_t channels_;
  std::int32_t lanes_;
  std::int64_t padlen_;
  std::int64_t ahead_;
  bool from_the_edge_;
  bool begun_ = false;  ///< The forward pass has.
  bool ended_ = false;
  std::int64_t into_span_ = 0;
  std::int64_t seen_ = 0;  ///< As in ZeroPhaseState.
  std::int64_t filtered_ = 0;
  std::int64_t ready_ = 0;
  std::int64_t emitted_ = 0;
  std::int64_t plain_ = 0;  ///< Rows before it have their output in the ring.
  ZeroPhaseLayout at_;
  compute::Buffer coefficients_, left_, back_left_, over_cell_, over_span_, over_block_, steady_;
  compute::Buffer ring_, edge_, extension_, final_, work_;
};

/// Bytes it keeps there; `real_bytes` are those of one number of a state.
std::size_t zero_phase_device_bytes(const ZeroPhaseGrid& grid, std::size_t sections,
                                    std::int64_t channels, std::int64_t max_frames,
                                    std::size_t real_bytes) noexcept;

}  // namespace weir::signal
