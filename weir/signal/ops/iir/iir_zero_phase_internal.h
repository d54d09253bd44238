#pragma once

#include <vector>

#include "weir/op/bytes.h"
#include "weir/signal/ops/iir/iir_spool_internal.h"
#include "weir/signal/ops/iir/iir_step_internal.h"

namespace weir::signal {

/// How the backward pass is cut: block k is final once `ahead` whole blocks after it are known.
struct ZeroPhaseGrid {
  std::int64_t block = 0;  ///< Frames of a block; 0 to wait for the end of the segment.
  std::int64_t ahead = 0;
  std::int64_t padlen = 0;
  SpoolPlan spool;

  std::int64_t end_states() const noexcept { return block > 0 ? ahead + 1 : 0; }
};

/// One group of channels of one segment.
template <class T>
class ZeroPhaseState final : public op::State {
 public:
  ZeroPhaseState(const ZeroPhaseGrid& grid, std::size_t sections, const op::StartPoint& at)
      : channels(at.channel_count),
        from_the_edge(at.first_frame == 0),
        forward(sections, channels),
        backward(sections, channels),
        edge(SampleType::float32, grid.padlen + 1, channels),
        extension(SampleType::float32, grid.padlen, channels),
        spool(grid.spool, channels) {
    ends.reserve(static_cast<std::size_t>(grid.end_states()));
    for (std::int64_t i = 0; i < grid.end_states(); ++i) {
      ends.emplace_back(sections, channels);
    }
  }
  static std::size_t bytes_for(const ZeroPhaseGrid& grid, std::size_t sections,
                               std::int64_t channels) {
    const auto states = static_cast<std::size_t>(2 + grid.end_states()) + ScanState<T>::kStates;
    return sizeof(ZeroPhaseState) + states * sizeof(CascadeState<T>) +
           states * CascadeState<T>::bytes_for(sections, channels) +
           Buffer::bytes_for(SampleType::float32, grid.padlen + 1, channels) +
           Buffer::bytes_for(SampleType::float32, grid.padlen, channels) +
           grid.spool.memory_bytes(channels);
  }

  std::int64_t channels;
  bool from_the_edge;         ///< Starts at the segment's first frame.
  bool ended = false;         ///< The backward pass has come from the segment's end.
  std::int64_t seen = 0;      ///< Input frames.
  std::int64_t filtered = 0;  ///< Rows of the forward pass.
  std::int64_t ready = 0;     ///< Rows that are final.
  std::int64_t emitted = 0;
  CascadeState<T> forward;
  ScanState<T> scan;  ///< Of the forward pass.
  CascadeState<T> backward;
  Buffer edge;  ///< Input frame t in row t % (padlen + 1): the latest ones.
  Buffer extension;
  /// Block k's in k % (ahead + 1): the state of a backward pass that began in rest at its end.
  std::vector<CascadeState<T>> ends;
  Spool spool;
};

template <class T>
void save_zero_phase(const ZeroPhaseState<T>& state, op::ByteWriter& to);
template <class T>
void load_zero_phase(ZeroPhaseState<T>& state, op::ByteReader& from);

}  // namespace weir::signal
