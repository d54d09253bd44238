#include <algorithm>
#include <array>

#include "weir/signal/ops/iir/iir_cl.h"
#include "weir/signal/ops/iir/iir_device_internal.h"
#include "weir/signal/ops/iir/iir_scan_internal.h"
#include "weir/signal/ops/iir/iir_step_internal.h"

namespace weir::signal {
namespace {

/// Where the states lie in `work`, in elements.
struct Layout {
  std::int64_t state;  ///< Elements of one.
  Place now, sum, start, span_start, span_sum;
  std::int64_t blocks;
  std::int64_t spans;
  std::int64_t end;

  Layout(std::int64_t sections, std::int64_t channels, std::int64_t frames)
      : state(2 * sections * channels) {
    std::int64_t at = 0;
    for (Place* place : {&now, &sum, &start, &span_start, &span_sum}) {
      *place = {at, at + state};
      at += 2 * state;
    }
    blocks = at;
    spans = blocks + (frames / kScanGrid.block + 2) * state;  // two of them may be cut
    end = spans + (frames / kScanGrid.span() + 3) * state;    // and the start of the next
  }
};

/// Items with which two blocks each pay: a float64 table is read sooner than it comes.
template <class T>
constexpr std::int64_t kEnough = std::int64_t{1} << (sizeof(T) == sizeof(double) ? 15 : 17);

template <class T>
class ForwardOnDevice final : public op::DeviceStep {
 public:
  ForwardOnDevice(const op::DevicePlace& place, std::span<const Section> sections,
                  std::span<const DeltaState> steady, const op::StartPoint& at)
      : queue_(place.queue),
        sections_(static_cast<std::int32_t>(sections.size())),
        channels_(static_cast<std::int32_t>(at.channel_count)),
        lanes_(lanes_for(sections_)),
        settled_(steady.empty()),
        into_span_(settled_ ? at.first_frame % kScanGrid.span() : 0),
        at_(sections_, channels_, place.max_frames) {
    // As constants they let a device keep the states in registers.
    // More rows ahead pay where their arithmetic is slow (README.md).
    const std::array<compute::Constant, 3> constants{
        {{"SECTIONS", sections_}, {"MOST", sections_}, {"SUM_AHEAD", sizeof(T) == 8 ? 16 : 8}}};
    const auto kernel = [&](const char* entry) {
      const std::size_t known = sections_ <= kMostKnown ? constants.size() : 0;
      return place.device.kernel(kernels::kIir, entry, kReal<T>, std::span(constants).first(known));
    };
    settle_ = kernel("iir_settle");
    sum_ = kernel("iir_sum");
    sum_two_ = kernel("iir_sum_two");
    chain_ = kernel("iir_chain");
    filter_ = kernel("iir_filter");
    const auto store = [&](const std::vector<T>& values) {
      return place.device.allocate(queue_, values);
    };
    const ScanTables tables = scan_tables(sections, kScanGrid);
    coefficients_ = store(delta_coefficients<T>(sections));
    left_ = store(rounded<T>(tables.left));
    over_block_ = store(rounded<T>(tables.over_block));
    over_span_ = store(rounded<T>(tables.over_span));
    std::vector<double> levels;
    for (const DeltaState& section : steady) {
      levels.insert(levels.end(), {section.s1, section.s2});
    }
    steady_ = store(rounded<T>(levels));
    work_ = place.device.allocate(static_cast<std::size_t>(at_.end) * sizeof(T));
    queue_.clear(work_);
  }

  void run(const op::DeviceBlock& in, std::span<op::DeviceEmission> out) override {
    out[0].frames = in.frames;
    if (in.frames == 0) {
      return;
    }
    if (!settled_) {
      queue_.launch(
          settle_, items(1),
          {in.buffer, in.first, steady_, work_, at_.span_start.read, channels_, sections_});
      settled_ = true;
    }
    const CallShape shape(into_span_, in.frames);
    launch_sums(shape, in);
    if (shape.whole_blocks > 0) {
      launch_chains(shape);
    }
    launch_filter(shape, in, out[0].room);
    into_span_ = (into_span_ + in.frames) % kScanGrid.span();
    swap(at_.sum);
    swap(at_.now);
    if (shape.whole_blocks > 0) {
      swap(at_.start);
      swap(at_.span_start);
      swap(at_.span_sum);
    }
  }

  void hand_over(op::State& to) const override {
    auto& state = static_cast<ForwardState<T>&>(to);
    state.settled = settled_;
    state.scan.into_span = into_span_;
    const bool in_block = into_span_ % kScanGrid.block != 0;
    const Place& start = start_of_block();
    download(in_block ? at_.now : start, state.cascade);
    if (into_span_ > 0) {
      state.scan.make_room(static_cast<std::size_t>(sections_), channels_);
      download(start, state.scan.start);
      download(at_.span_start, state.scan.span_start);
      if (in_block) {
        download(at_.sum, state.scan.sum);
      }
      if (into_span_ >= kScanGrid.block) {
        download(at_.span_sum, state.scan.span_sum);
      }
    }
  }
  void take_over(const op::State& from) override {
    const auto& state = static_cast<const ForwardState<T>&>(from);
    settled_ = state.settled;
    into_span_ = state.scan.into_span;
    if (into_span_ == 0) {
      upload(state.cascade, at_.span_start);
      return;
    }
    upload(state.cascade, at_.now);
    upload(state.scan.start, at_.start);
    upload(state.scan.sum, at_.sum);
    upload(state.scan.span_start, at_.span_start);
    upload(state.scan.span_sum, at_.span_sum);
  }

 private:
  compute::Range items(std::int64_t each_channel) const {
    return {.items = {each_channel * channels_, 1}, .group = kGroup};
  }
  static void swap(Place& place) noexcept { std::swap(place.read, place.write); }
  /// The first block of a span starts where the span does.
  const Place& start_of_block() const noexcept {
    return into_span_ < kScanGrid.block ? at_.span_start : at_.start;
  }

  void launch_sums(const CallShape& shape, const op::DeviceBlock& in) {
    const std::int64_t pairs = (shape.blocks + 1) / 2;
    const bool two = pairs * channels_ >= kEnough<T>;
    queue_.launch(two ? sum_two_ : sum_, items(two ? pairs : shape.blocks),
                  {in.buffer, in.first, in.stride, left_, work_, at_.blocks, at_.sum.read,
                   at_.sum.write, in.frames, shape.into, kBlock, channels_, sections_});
  }

  void launch_chains(const CallShape& shape) {
    const auto length = static_cast<std::int64_t>(kScanGrid.length);
    launch_chain({.matrix = over_block_,
                  .rows = at_.blocks,
                  .first = shape.before > 0 ? at_.span_sum.read : kRest,
                  .ends = at_.spans,
                  .last = at_.span_sum.write,
                  .count = shape.whole_blocks,
                  .before = shape.before,
                  .length = length,
                  .chains = shape.spans});
    launch_chain({.matrix = over_span_,
                  .rows = at_.spans,
                  .first = at_.span_start.read,
                  .ends = at_.spans + shape.whole_spans * at_.state,
                  .last = at_.span_start.write,
                  .count = shape.whole_spans,
                  .length = shape.whole_spans,
                  .keep = 1});
    launch_chain({.matrix = over_block_,
                  .rows = at_.blocks,
                  .first = start_of_block().read,
                  .starts = at_.spans,
                  .last = at_.start.write,
                  .count = shape.whole_blocks,
                  .before = shape.before,
                  .length = length,
                  .chains = shape.spans,
                  .keep = 1});
  }

  /// Arguments of `iir_chain` that differ.
  struct Chain {
    const compute::Buffer& matrix;
    std::int64_t rows;
    std::int64_t first;
    std::int64_t starts = kRest;
    std::int64_t ends = kNowhere;
    std::int64_t last;
    std::int64_t count;
    std::int32_t before = 0;
    std::int64_t length;
    std::int64_t chains = 1;
    std::int32_t keep = 0;
  };
  void launch_chain(const Chain& chain) {
    const std::int64_t groups = (channels_ + lanes_ - 1) / lanes_ * chain.chains;
    const std::int64_t items = std::int64_t{2} * sections_ * lanes_;
    queue_.launch(chain_,
                  {.items = {groups * items, 1},
                   .group = {items, 1},
                   .local_bytes = static_cast<std::size_t>((2 + kStepsAhead) * items) * sizeof(T)},
                  {chain.matrix, work_, chain.rows, chain.first, chain.starts, chain.ends,
                   chain.last, chain.count, chain.before, chain.length, chain.chains, channels_,
                   lanes_, chain.keep, sections_});
  }

  void launch_filter(const CallShape& shape, const op::DeviceBlock& in, const op::DeviceBlock& to) {
    const std::int64_t first = shape.into > 0 ? at_.now.read : start_of_block().read;
    queue_.launch(filter_, items(shape.blocks),
                  {in.buffer, in.first, in.stride, to.buffer, to.first, to.stride, coefficients_,
                   work_, at_.blocks, first, at_.start.write, at_.now.write, in.frames, shape.into,
                   kBlock, channels_, sections_});
  }

  void download(const Place& from, const CascadeState<T>& to) const {
    download_state(queue_, work_, from.read, channels_, to);
  }
  void upload(const CascadeState<T>& from, const Place& to) {
    upload_state(queue_, from, channels_, work_, to.read);
  }

  static constexpr auto kBlock = static_cast<std::int32_t>(kScanGrid.block);
  compute::Queue& queue_;
  compute::Kernel settle_, sum_, sum_two_, chain_, filter_;
  std::int32_t sections_;
  std::int32_t channels_;
  std::int32_t lanes_;
  bool settled_;
  std::int64_t into_span_;
  Layout at_;
  compute::Buffer coefficients_, left_, over_block_, over_span_, steady_, work_;
};

}  // namespace

template <class T>
std::unique_ptr<op::DeviceStep> forward_on(const op::DevicePlace& place,
                                           std::span<const Section> sections,
                                           std::span<const DeltaState> steady,
                                           const op::StartPoint& at) {
  return std::make_unique<ForwardOnDevice<T>>(place, sections, steady, at);
}
template std::unique_ptr<op::DeviceStep> forward_on<float>(const op::DevicePlace&,
                                                           std::span<const Section>,
                                                           std::span<const DeltaState>,
                                                           const op::StartPoint&);
template std::unique_ptr<op::DeviceStep> forward_on<double>(const op::DevicePlace&,
                                                            std::span<const Section>,
                                                            std::span<const DeltaState>,
                                                            const op::StartPoint&);

std::size_t forward_device_values(std::size_t sections, std::int64_t channels,
                                  std::int64_t frames) noexcept {
  const auto values = 2 * sections;
  const Layout layout(static_cast<std::int64_t>(sections), channels, frames);
  return 5 * sections + values +
         static_cast<std::size_t>(kScanGrid.block) * padded_values(sections) + 2 * values * values +
         static_cast<std::size_t>(layout.end);
}

}  // namespace weir::signal
