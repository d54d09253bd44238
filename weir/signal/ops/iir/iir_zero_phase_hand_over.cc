#include <algorithm>

#include "weir/signal/ops/iir/iir_zero_phase_device_internal.h"

namespace weir::signal {
namespace {
std::size_t byte_of(std::int64_t row, std::int64_t channels) noexcept {
  return static_cast<std::size_t>(row * channels) * sizeof(float);
}

/// Kept rows of the input, in the same places on both sides.
std::vector<float> packed(const Buffer& rows, std::int64_t channels) {
  std::vector<float> values;
  for (std::int64_t row = 0; row < rows.frames(); ++row) {
    const float* first = rows.as<float>().row(row);
    values.insert(values.end(), first, first + channels);
  }
  return values;
}
}  // namespace

template <class T>
void ZeroPhaseOnDevice<T>::hand_over(op::State& to) const {
  auto& state = static_cast<ZeroPhaseState<T>&>(to);
  state.seen = seen_;
  state.filtered = filtered_;
  state.ready = ready_;
  state.emitted = emitted_;
  const auto edge = queue_.template download<float>(edge_);
  for (std::int64_t row = 0; row < at_.edges; ++row) {
    std::copy_n(edge.data() + row * channels_, channels_, state.edge.template as<float>().row(row));
  }
  if (!begun_) {
    return;
  }
  hand_over_forward(state);
  if (!at_.waits) {
    for (std::int64_t k = ready_ / at_.block; k < filtered_ / at_.block; ++k) {
      const auto slot = static_cast<std::size_t>(k) % state.ends.size();
      download_state(queue_, work_, at_.ends + k % at_.block_count * at_.state, channels_,
                     state.ends[slot]);
    }
  }
  if (ready_ > emitted_) {
    op::DeviceBlock room{final_, SampleType::float32, 0, ready_ - emitted_, channels_, channels_};
    launch_back_filter(ready_ - emitted_, room);
    download_rows(final_, emitted_, emitted_, ready_, state.spool);
  }
  download_rows(ring_, 0, ready_, filtered_, state.spool);
}

template <class T>
void ZeroPhaseOnDevice<T>::hand_over_forward(ZeroPhaseState<T>& to) const {
  download_state(queue_, work_, now(), channels_, to.forward);
  to.scan.into_span = into_span_;
  if (into_span_ == 0) {
    return;
  }
  to.scan.make_room(static_cast<std::size_t>(sections_), channels_);
  download_state(queue_, work_, start_of_block(), channels_, to.scan.start);
  download_state(queue_, work_, at_.span_start.read, channels_, to.scan.span_start);
  if (into_span_ % kCell != 0) {
    download_state(queue_, work_, at_.sum.read, channels_, to.scan.sum);
  }
  if (into_span_ >= kCell) {
    download_state(queue_, work_, at_.span_sum.read, channels_, to.scan.span_sum);
  }
}

template <class T>
void ZeroPhaseOnDevice<T>::take_over(const op::State& from) {
  const auto& state = static_cast<const ZeroPhaseState<T>&>(from);
  seen_ = state.seen;
  filtered_ = state.filtered;
  ready_ = state.ready;
  emitted_ = state.emitted;
  plain_ = state.ready;
  begun_ = filtered_ > 0;
  queue_.upload(edge_, packed(state.edge, channels_));
  if (!begun_) {
    return;
  }
  take_over_forward(state);
  upload_rows(state.spool, emitted_, filtered_);
  // What cells and blocks leave behind follows from their rows, bit for bit.
  const std::int64_t first = ready_ / kCell;
  const std::int64_t rows = filtered_ - first * kCell;
  queue_.launch(back_sum_, items((rows + kCell - 1) / kCell),
                {ring_, back_left_, work_, at_.left_behind(), first % at_.cell_count,
                 at_.cell_count, at_.back.read, rows, kBlock, channels_, sections_});
  if (!at_.waits) {
    sum_blocks(ready_ / at_.block, filtered_ / at_.block);
  }
}

/// What a CPU hands on has no place on the grid of the scan. Its cell then goes on as if it had
/// begun with zeros, and as if its frames so far left behind what the state becomes by its end.
template <class T>
void ZeroPhaseOnDevice<T>::take_over_forward(const ZeroPhaseState<T>& from) {
  into_span_ = from.scan.into_span;
  if (into_span_ > 0) {
    upload_state(queue_, from.forward, channels_, work_, at_.now.read);
    upload_state(queue_, from.scan.start, channels_, work_, at_.start.read);
    upload_state(queue_, from.scan.sum, channels_, work_, at_.sum.read);
    upload_state(queue_, from.scan.span_start, channels_, work_, at_.span_start.read);
    upload_state(queue_, from.scan.span_sum, channels_, work_, at_.span_sum.read);
    return;
  }
  into_span_ = filtered_ % kCell;
  if (into_span_ == 0) {
    upload_state(queue_, from.forward, channels_, work_, at_.span_start.read);
    return;
  }
  upload_state(queue_, from.forward, channels_, work_, at_.now.read);
  const auto moved = moved_over(sections_of_, kCell - into_span_);
  const CascadeState<T> sum(static_cast<std::size_t>(sections_), channels_);
  const std::int64_t values = std::int64_t{2} * sections_;
  for (std::int64_t i = 0; i < values; ++i) {
    for (std::int64_t c = 0; c < channels_; ++c) {
      double all = from.forward.data()[i * sum.lanes() + c];
      for (std::int64_t j = 0; j < values; ++j) {
        all += moved[static_cast<std::size_t>(i * values + j)] *
               static_cast<double>(from.forward.data()[j * sum.lanes() + c]);
      }
      sum.data()[i * sum.lanes() + c] = static_cast<T>(all);
    }
  }
  upload_state(queue_, sum, channels_, work_, at_.sum.read);
  const CascadeState<T> zero(static_cast<std::size_t>(sections_), channels_);
  upload_state(queue_, zero, channels_, work_, at_.span_start.read);
}

/// Rows of the stream from row `base` on lie in `from`, round its end.
template <class T>
void ZeroPhaseOnDevice<T>::download_rows(const compute::Buffer& from, std::int64_t base,
                                         std::int64_t first, std::int64_t last, Spool& to) const {
  const auto ring = static_cast<std::int64_t>(from.bytes() / byte_of(1, channels_));
  while (first < last) {
    const std::int64_t row = (first - base) % ring;
    const std::int64_t count = std::min(to.reach(first, last - first), ring - row);
    std::vector<float> values(static_cast<std::size_t>(count * channels_));
    queue_.download(from, byte_of(row, channels_), std::as_writable_bytes(std::span(values)));
    const Block<float> room = to.room(first, count);
    for (std::int64_t i = 0; i < count; ++i) {
      std::copy_n(values.data() + i * channels_, channels_, room.row(i));
    }
    to.store(first, room);
    first += count;
  }
}

template <class T>
void ZeroPhaseOnDevice<T>::upload_rows(const Spool& from, std::int64_t first, std::int64_t last) {
  while (first < last) {
    const std::int64_t row = first % at_.rows;
    const std::int64_t count = std::min(from.reach(first, last - first), at_.rows - row);
    const Block<float> rows = from.rows(first, count);
    std::vector<float> values;
    for (std::int64_t i = 0; i < count; ++i) {
      values.insert(values.end(), rows.row(i), rows.row(i) + channels_);
    }
    queue_.upload(ring_, byte_of(row, channels_), std::as_bytes(std::span(values)));
    first += count;
  }
}

template void ZeroPhaseOnDevice<float>::hand_over(op::State&) const;
template void ZeroPhaseOnDevice<double>::hand_over(op::State&) const;
template void ZeroPhaseOnDevice<float>::take_over(const op::State&);
template void ZeroPhaseOnDevice<double>::take_over(const op::State&);

}  // namespace weir::signal
