#include <algorithm>
#include <utility>

#include "weir/signal/ops/iir/iir_walk_cl.h"
#include "weir/signal/ops/iir/iir_zero_phase_cl.h"
#include "weir/signal/ops/iir/iir_zero_phase_device_internal.h"

namespace weir::signal {
namespace {
std::int64_t up_to_multiple(std::int64_t value, std::int64_t of) noexcept {
  return (value + of - 1) / of * of;
}
}  // namespace

ZeroPhaseLayout::ZeroPhaseLayout(const ZeroPhaseGrid& grid, std::int64_t sections,
                                 std::int64_t channels, std::int64_t max_frames)
    : state(2 * sections * channels),
      waits(grid.block == 0),
      block(waits ? kCell : grid.block),
      per_block(block / kCell),
      rows(waits ? up_to_multiple(std::max<std::int64_t>(grid.spool.rows, 1), kCell)
                 : up_to_multiple((grid.ahead + 1) * block + max_frames + kCell, block)),
      cell_count(rows / kCell),
      block_count(waits ? 1 : rows / block),
      final_rows(waits ? 0 : block + kCell),
      edges(grid.padlen + 1) {
  std::int64_t at = 0;
  for (Place* place : {&now, &sum, &back, &start, &span_start, &span_sum}) {
    *place = {at, at + state};
    at += 2 * state;
  }
  const auto take = [&](std::int64_t states) { return std::exchange(at, at + states * state); };
  turned = take(1);
  scan = take(max_frames / kCell + 3);              // two of them may be cut
  spans = take(max_frames / kScanGrid.span() + 3);  // and one empty
  cells = take(cell_count);
  ends = take(block_count);
  end = at;
}

template <class T>
ZeroPhaseOnDevice<T>::ZeroPhaseOnDevice(const op::DevicePlace& place,
                                        std::span<const Section> sections,
                                        const ZeroPhaseGrid& grid, const op::StartPoint& at)
    : queue_(place.queue),
      sections_of_(sections.begin(), sections.end()),
      sections_(static_cast<std::int32_t>(sections.size())),
      channels_(static_cast<std::int32_t>(at.channel_count)),
      lanes_(lanes_for(sections_)),
      padlen_(grid.padlen),
      ahead_(grid.ahead),
      from_the_edge_(at.first_frame == 0),
      at_(grid, sections_, channels_, place.max_frames) {
  make_kernels(place.device);
  fill_tables(place.device);
  const auto floats = [&](std::int64_t rows) {
    const std::int64_t count = std::max<std::int64_t>(rows, 1) * channels_;
    return place.device.allocate(static_cast<std::size_t>(count) * sizeof(float));
  };
  ring_ = floats(at_.rows);
  edge_ = floats(at_.edges);
  extension_ = floats(padlen_);
  final_ = floats(at_.final_rows);
  work_ = place.device.allocate(static_cast<std::size_t>(at_.end) * sizeof(T));
  queue_.clear(work_);
}

template <class T>
void ZeroPhaseOnDevice<T>::make_kernels(compute::Device& device) {
  // More rows ahead take registers that the coefficients of many sections need.
  const std::int64_t rows = sections_ > 5 ? 16 : 32;
  const std::array<compute::Constant, 3> constants{
      {{"SECTIONS", sections_}, {"MOST", sections_}, {"AHEAD", rows}}};
  const auto kernel = [&](const compute::KernelSource& source, const char* entry) {
    const std::size_t of_file = &source == &kernels::kIirWalk ? 2 : constants.size();
    const auto known = std::span(constants).first(sections_ <= kMostKnown ? of_file : 0);
    return device.kernel(source, entry, kReal<T>, known);
  };
  ahead_sum_ = kernel(kernels::kIirZeroPhase, "iir_ahead_sum");
  ahead_filter_ = kernel(kernels::kIirZeroPhase, "iir_ahead_filter");
  back_sum_ = kernel(kernels::kIirZeroPhase, "iir_back_sum");
  back_filter_ = kernel(kernels::kIirZeroPhase, "iir_back_filter");
  turn_ = kernel(kernels::kIirZeroPhase, "iir_turn");
  level_ = kernel(kernels::kIirWalk, "iir_level");
  starts_ = kernel(kernels::kIirWalk, "iir_starts");
  entries_ = kernel(kernels::kIirWalk, "iir_entries");
}

template <class T>
void ZeroPhaseOnDevice<T>::fill_tables(compute::Device& device) {
  const auto store = [&](const std::vector<T>& values) { return device.allocate(queue_, values); };
  const ScanTables tables = scan_tables(sections_of_, kScanGrid);
  coefficients_ = store(delta_coefficients<T>(sections_of_));
  left_ = store(rounded<T>(tables.left));
  back_left_ = store(rounded<T>(upside_down(tables.left, sections_of_.size())));
  over_cell_ = store(rounded<T>(tables.over_block));
  over_span_ = store(rounded<T>(tables.over_span));
  over_block_ = store(rounded<T>(moved_over(sections_of_, at_.block)));
  std::vector<T> levels;
  for (const DeltaState& section : steady_state(sections_of_)) {
    levels.insert(levels.end(), {static_cast<T>(section.s1), static_cast<T>(section.s2)});
  }
  steady_ = store(levels);
}

template <class T>
void ZeroPhaseOnDevice<T>::run(const op::DeviceBlock& in, std::span<op::DeviceEmission> out) {
  out[0].frames = 0;
  if (in.frames == 0) {
    return;
  }
  const std::int64_t before = filtered_;
  if (begun_ || !from_the_edge_ || seen_ + in.frames >= at_.edges) {
    take(in);
  } else {
    launch_ahead_filter(in, 0);
  }
  seen_ += in.frames;
  close_blocks(before);
  emit(out[0], in.frames);
}

template <class T>
bool ZeroPhaseOnDevice<T>::finish(std::span<op::DeviceEmission> out) {
  out[0].frames = 0;
  if (seen_ == 0) {
    return true;
  }
  if (!ended_) {
    end_segment();
  }
  emit(out[0], out[0].room.frames);
  return emitted_ == filtered_;
}

/// The forward pass over the frames of a call; in the first, over those kept at the edge before.
template <class T>
void ZeroPhaseOnDevice<T>::take(const op::DeviceBlock& in) {
  const std::int64_t gathered = begun_ ? 0 : seen_;
  if (!begun_) {
    into_span_ = gathered;
  }
  const CallShape shape(into_span_, in.frames);
  launch_ahead_sum(shape, in, in.frames, from_the_edge_ ? padlen_ : 0);
  if (shape.whole_blocks > 0) {
    launch_forward_walks(shape);
  }
  filtered_ += gathered;
  launch_ahead_filter(in, shape.blocks);
  into_span_ = (into_span_ + in.frames) % kScanGrid.span();
  filtered_ += in.frames;
  begun_ = true;
  swap(at_.sum);
  swap(at_.now);
  swap(at_.back);
  if (shape.whole_blocks > 0) {
    swap(at_.start);
    swap(at_.span_sum);
  }
  if (shape.whole_spans > 0) {
    swap(at_.span_start);
  }
}

/// `blocks` 0: nothing but the edge is kept.
template <class T>
void ZeroPhaseOnDevice<T>::launch_ahead_filter(const op::DeviceBlock& in, std::int64_t blocks) {
  const auto into = static_cast<std::int32_t>(blocks > 0 ? into_span_ % kCell : 0);
  const std::int64_t frames = blocks > 0 ? in.frames : 0;
  const std::int64_t kept = std::min(in.frames, at_.edges);
  // Without blocks the kernel counts rows from the first that is kept.
  const std::int64_t from = blocks > 0 ? in.first : in.first + in.frames * in.stride;
  const std::int64_t first = into > 0 ? at_.now.read : start_of_block();
  queue_.launch(ahead_filter_, items(blocks + kept),
                {in.buffer,
                 from,
                 in.stride,
                 ring_,
                 at_.rows,
                 filtered_ % at_.rows,
                 coefficients_,
                 back_left_,
                 work_,
                 at_.scan,
                 first,
                 at_.start.write,
                 at_.now.write,
                 at_.left_behind(),
                 filtered_ / kCell % at_.cell_count,
                 at_.cell_count,
                 at_.back.read,
                 at_.back.write,
                 frames,
                 into,
                 kBlock,
                 edge_,
                 static_cast<std::int32_t>(kept),
                 static_cast<std::int32_t>((seen_ + in.frames - kept) % at_.edges),
                 static_cast<std::int32_t>(at_.edges),
                 channels_,
                 sections_});
}

/// A segment that ends before its odd extension is whole.
template <class T>
void ZeroPhaseOnDevice<T>::begin_without_frames() {
  into_span_ = seen_;
  launch_ahead_sum(CallShape(into_span_, 0),
                   {edge_, SampleType::float32, 0, 0, channels_, channels_}, 0, seen_ - 1);
  filtered_ = seen_;
  begun_ = true;
  swap(at_.sum);
}

template <class T>
void ZeroPhaseOnDevice<T>::launch_ahead_sum(const CallShape& shape, const op::DeviceBlock& in,
                                            std::int64_t frames, std::int64_t padlen) {
  const std::int32_t begins = begun_ ? 0 : 1;
  queue_.launch(
      ahead_sum_, items((shape.blocks + 1) / 2 + begins),
      {in.buffer,    in.first,      in.stride,    edge_,         coefficients_,
       steady_,      back_left_,    work_,        ring_,         at_.span_start.read,
       at_.now.read, at_.back.read, shape.into,   channels_,     static_cast<std::int32_t>(padlen),
       left_,        at_.scan,      at_.sum.read, at_.sum.write, frames,
       kBlock,       begins,        sections_});
}

template <class T>
void ZeroPhaseOnDevice<T>::launch_forward_walks(const CallShape& shape) {
  const auto length = static_cast<std::int64_t>(kScanGrid.length);
  Walk walk{.matrix = over_cell_,
            .rows = at_.scan,
            .count = shape.whole_blocks,
            .before = shape.before,
            .length = length,
            .chains = shape.spans};
  launch_level(walk,
               {.first = shape.before > 0 ? at_.span_sum.read : kRest, .last = at_.span_sum.write},
               at_.spans, kNoRing, 0);
  const std::int64_t next_span = at_.spans + shape.whole_spans * at_.state;
  if (shape.whole_spans > 0) {
    launch_starts({.matrix = over_span_,
                   .rows = at_.spans,
                   .count = shape.whole_spans,
                   .length = shape.whole_spans,
                   .chains = 1},
                  {.matrix = over_span_},
                  {.first = at_.span_start.read, .kept = at_.spans, .last = next_span});
  }
  walk.chains = shape.whole_spans + 1;
  launch_starts(walk, {.matrix = over_span_},
                {.first = start_of_block(),
                 .others = at_.spans,
                 .kept = at_.scan,
                 .middle = shape.whole_spans > 0 ? at_.span_start.write : kNowhere,
                 .last = at_.start.write});
}

/// Blocks that have become whole, and those that have become final by it.
template <class T>
void ZeroPhaseOnDevice<T>::close_blocks(std::int64_t filtered_before) {
  if (at_.waits) {
    return;
  }
  const std::int64_t closed = filtered_ / at_.block;
  sum_blocks(filtered_before / at_.block, closed);
  const std::int64_t first = ready_ / at_.block;
  const std::int64_t count = std::max<std::int64_t>(0, closed - ahead_) - first;
  if (count <= 0) {
    return;
  }
  if (at_.per_block == 1) {
    queue_.launch(entries_, items(count),
                  {over_block_, work_, at_.ends, at_.cells, at_.block_count,
                   first % at_.block_count, count, ahead_, channels_, sections_});
  } else {
    launch_starts({.matrix = over_cell_,
                   .rows = at_.cells,
                   .ring = at_.cell_count,
                   .begin = first * at_.per_block % at_.cell_count,
                   .direction = -1,
                   .count = count * at_.per_block,
                   .length = at_.per_block,
                   .chains = count},
                  {.matrix = over_block_,
                   .rows = at_.ends,
                   .ring = at_.block_count,
                   .begin = (first + ahead_) % at_.block_count,
                   .jump = 1,
                   .count = ahead_},
                  {.kept = at_.cells});
  }
  ready_ = (first + count) * at_.block;
}

template <class T>
void ZeroPhaseOnDevice<T>::sum_blocks(std::int64_t first, std::int64_t last) {
  if (at_.per_block == 1 || last == first) {
    return;
  }
  launch_level({.matrix = over_cell_,
                .rows = at_.cells,
                .ring = at_.cell_count,
                .begin = first * at_.per_block % at_.cell_count,
                .direction = -1,
                .count = (last - first) * at_.per_block,
                .length = at_.per_block,
                .chains = last - first},
               {}, at_.ends, at_.block_count, first % at_.block_count);
}

template <class T>
void ZeroPhaseOnDevice<T>::end_segment() {
  if (!begun_) {
    begin_without_frames();
  }
  const std::int64_t latest = filtered_ - 1;
  const std::int64_t cells = filtered_ / kCell;
  queue_.launch(
      turn_, items(1),
      {edge_, extension_, ring_, coefficients_, steady_, work_, now(), at_.cells, at_.turned,
       cells % at_.cell_count, latest % at_.rows,
       static_cast<std::int32_t>((seen_ - 1) % at_.edges), static_cast<std::int32_t>(at_.edges),
       static_cast<std::int32_t>(std::min(padlen_, seen_ - 1)),
       static_cast<std::int32_t>(filtered_ % kCell), kBlock, channels_, sections_});
  const std::int64_t first = ready_ / kCell;
  if (cells > first) {
    launch_starts({.matrix = over_cell_,
                   .rows = at_.left_behind(),
                   .ring = at_.cell_count,
                   .begin = first % at_.cell_count,
                   .direction = -1,
                   .count = cells - first,
                   .length = cells - first,
                   .chains = 1},
                  {.matrix = over_block_}, {.first = at_.turned, .kept = at_.cells});
  }
  ready_ = filtered_;
  ended_ = true;
}

template <class T>
void ZeroPhaseOnDevice<T>::emit(op::DeviceEmission& out, std::int64_t most) {
  out.frames = std::min({most, ready_ - emitted_, out.room.frames});
  if (out.frames > 0) {
    launch_back_filter(out.frames, out.room);
    emitted_ += out.frames;
  }
}

template <class T>
void ZeroPhaseOnDevice<T>::launch_back_filter(std::int64_t count,
                                              const op::DeviceBlock& room) const {
  const std::int64_t first = emitted_ / kCell;
  const std::int64_t from = emitted_ % kCell;
  queue_.launch(back_filter_, items((from + count + kCell - 1) / kCell),
                {ring_, room.buffer, room.first, room.stride, coefficients_, work_, at_.cells,
                 first % at_.cell_count, at_.cell_count, from, count, filtered_ - first * kCell,
                 std::max<std::int64_t>(0, plain_ / kCell - first), kBlock, channels_, sections_});
}

template <class T>
void ZeroPhaseOnDevice<T>::launch_level(const Walk& walk, const WalkEnds& ends, std::int64_t to,
                                        std::int64_t to_ring, std::int64_t to_begin) {
  queue_.launch(level_, walkers(walk.chains),
                {walk.matrix, work_, walk.rows, walk.ring, walk.begin, walk.direction, walk.count,
                 walk.before, walk.length, walk.chains, channels_, lanes_, ends.first, to, to_ring,
                 to_begin, ends.last, sections_});
}

template <class T>
void ZeroPhaseOnDevice<T>::launch_starts(const Walk& walk, const Approach& approach,
                                         const WalkEnds& ends) {
  queue_.launch(
      starts_, walkers(walk.chains),
      {walk.matrix,     work_,         walk.rows,     walk.ring,      walk.begin,    walk.direction,
       walk.count,      walk.before,   walk.length,   walk.chains,    channels_,     lanes_,
       approach.matrix, approach.rows, approach.ring, approach.begin, approach.jump, approach.count,
       ends.first,      ends.others,   ends.kept,     ends.middle,    ends.last,     sections_});
}

template class ZeroPhaseOnDevice<float>;
template class ZeroPhaseOnDevice<double>;

std::size_t zero_phase_device_bytes(const ZeroPhaseGrid& grid, std::size_t sections,
                                    std::int64_t channels, std::int64_t max_frames,
                                    std::size_t real_bytes) noexcept {
  const ZeroPhaseLayout layout(grid, static_cast<std::int64_t>(sections), channels, max_frames);
  const std::size_t values = 2 * sections;
  const std::size_t tables = 5 * sections + values +
                             2 * static_cast<std::size_t>(kCell) * padded_values(sections) +
                             3 * values * values;
  const std::int64_t rows = layout.rows + layout.edges + std::max<std::int64_t>(grid.padlen, 1) +
                            std::max<std::int64_t>(layout.final_rows, 1);
  return (tables + static_cast<std::size_t>(layout.end)) * real_bytes +
         static_cast<std::size_t>(rows * channels) * sizeof(float);
}

}  // namespace weir::signal
