#include <algorithm>

#include "weir/signal/kept_rows.h"
#include "weir/signal/ops/peaks/peaks_cl.h"
#include "weir/signal/ops/peaks/peaks_internal.h"
#include "weir/signal/ops/peaks/peaks_mark_cl.h"
#include "weir/signal/ops/peaks/peaks_measure_cl.h"
#include "weir/signal/ops/peaks/peaks_select_cl.h"
#include "weir/signal/ops/peaks/peaks_tables_internal.h"
#include "weir/signal/ops/peaks/peaks_tops_internal.h"

namespace weir::signal {
namespace {

/// Items that select for one channel, and for all that may compete with each other.
constexpr std::int64_t kItemsAlone = 64;
constexpr std::int64_t kItemsTogether = 256;

/// Two lists in one, as the kernel wants them: where each channel's rivals begin, and the rivals.
struct Rivals {
  std::vector<std::int32_t> first{0};
  std::vector<std::int32_t> all;
};
Rivals rivals_of(const PeakPlan& plan, const op::StartPoint& at) {
  Rivals rivals;
  for (std::int64_t c = 0; c < at.channel_count; ++c) {
    for (const std::int32_t other :
         plan.competitors[static_cast<std::size_t>(at.first_channel + c)]) {
      rivals.all.push_back(other - static_cast<std::int32_t>(at.first_channel));
    }
    rivals.first.push_back(static_cast<std::int32_t>(rivals.all.size()));
  }
  return rivals;
}

std::vector<double> scales_of(const PeakPlan& plan, const op::StartPoint& at) {
  std::vector<double> scales;
  for (const auto member : {&PeakLevels::gain, &PeakLevels::threshold, &PeakLevels::prominence}) {
    for (std::int64_t c = 0; c < at.channel_count; ++c) {
      scales.push_back(plan.levels[static_cast<std::size_t>(at.first_channel + c)].*member);
    }
  }
  scales.push_back(plan.rules.width);
  scales.push_back(plan.rules.rel_height);
  return scales;
}

class PeaksByRulesOnDevice final : public op::DeviceStep {
 public:
  PeaksByRulesOnDevice(const op::DevicePlace& place, const PeakPlan& plan,
                       const op::StartPoint& at);
  void run(const op::DeviceBlock& in, std::span<op::DeviceEmission> out) override;
  bool finish(std::span<op::DeviceEmission> out) override;
  void hand_over(op::State& to) const override;
  void take_over(const op::State& from) override;

 private:
  static compute::Kernel kernel(compute::Device& device, const compute::KernelSource& source,
                                const char* entry) {
    return device.kernel(source, entry, compute::Real::float64);
  }
  std::int64_t now() const noexcept { return tops_.fed(); }
  void select(const op::DeviceBlock& in, std::int64_t to, std::int64_t end);
  void take(const op::DeviceBlock& in, std::int64_t from, std::int64_t to, std::int64_t last,
            const op::DeviceEvents& events);

  const PeakPlan& plan_;
  op::StartPoint at_;
  compute::Queue& queue_;
  compute::Kernel begin_;
  compute::Kernel mark_;
  compute::Kernel select_;
  compute::Kernel take_;
  PeakTopsOnDevice tops_;
  PeakTablesShape shape_;
  KeptRows past_;
  std::int64_t span_;
  compute::Buffer scales_;
  compute::Buffer first_rivals_;
  compute::Buffer rivals_;
  compute::Buffer marks_;
  compute::Buffer opens_;
  compute::Buffer counters_;   ///< Tops too flat, and peaks forced, since the last take-over.
  std::int64_t too_flat_ = 0;  ///< Before that.
  std::int64_t forced_ = 0;
  std::int64_t taken_ = 0;  ///< Peaks before this frame have been taken out, once it has ended.
  bool ended_ = false;
};

PeaksByRulesOnDevice::PeaksByRulesOnDevice(const op::DevicePlace& place, const PeakPlan& plan,
                                           const op::StartPoint& at)
    : plan_(plan),
      at_(at),
      queue_(place.queue),
      begin_(place.device.kernel(kernels::kPeaks, "peaks_begin")),
      mark_(kernel(place.device, kernels::kPeaksMark, "peaks_mark")),
      select_(kernel(place.device, kernels::kPeaksSelect, "peaks_select")),
      take_(kernel(place.device, kernels::kPeaksMeasure, "peaks_take")),
      tops_(place, plan, at),
      shape_(peak_tables_shape(plan.rules, at.channel_count, place.max_frames)),
      past_(place, shape_.rows, at.channel_count) {
  const Rivals rivals = rivals_of(plan, at);
  span_ = std::ssize(rivals.all) == at.channel_count ? 1 : at.channel_count;
  scales_ = place.device.allocate(queue_, scales_of(plan, at));
  first_rivals_ = place.device.allocate(queue_, rivals.first);
  rivals_ = place.device.allocate(queue_, rivals.all);
  marks_ = place.device.allocate(shape_.mark_count() * sizeof(std::uint32_t));
  queue_.clear(marks_);
  opens_ = place.device.allocate(queue_, std::vector<std::int64_t>(shape_.open_count(), -1));
  counters_ = place.device.allocate(queue_, std::vector<std::int32_t>(2));
}

void PeaksByRulesOnDevice::run(const op::DeviceBlock& in, std::span<op::DeviceEmission> out) {
  const PeakRules& rules = plan_.rules;
  const op::DeviceEvents& events = out[0].events;
  queue_.launch(begin_, {.items = {1, 1}}, {events.rows});
  if (in.frames == 0) {
    return;
  }
  const std::int64_t end = now() + in.frames;
  const std::int64_t words = (end + kMarksInWord - 1) / kMarksInWord - now() / kMarksInWord;
  queue_.launch(mark_, {.items = {std::int64_t{tops_.channels()} * tops_.sides(), words}},
                {in.buffer,
                 in.first,
                 in.stride,
                 tops_.levels(),
                 scales_,
                 tops_.previous(),
                 tops_.starts(),
                 tops_.befores(),
                 marks_,
                 opens_,
                 counters_,
                 events.rows,
                 events.capacity,
                 shape_.words,
                 rules.selects() ? shape_.slots : std::int64_t{0},
                 now(),
                 in.frames,
                 rules.horizon > 0 ? rules.max_cluster : std::int64_t{0},
                 tops_.channels(),
                 tops_.sides(),
                 tops_.first_side()});
  if (rules.horizon > 0) {
    select(in, end / kPeakGrid * kPeakGrid, 0);
    take(in, now() - rules.horizon, end - rules.horizon, end - 1, events);
    past_.keep(in, now());
  }
  tops_.keep(in);
}

void PeaksByRulesOnDevice::select(const op::DeviceBlock& in, std::int64_t to, std::int64_t end) {
  const std::int64_t from = now() / kPeakGrid * kPeakGrid;
  if (!plan_.rules.selects() || (to <= from && end == 0)) {
    return;
  }
  const std::int64_t items = span_ == 1 ? kItemsAlone : kItemsTogether;
  const auto local = static_cast<std::size_t>(items) *
                         (sizeof(double) + 2 * sizeof(std::int64_t) + sizeof(std::int32_t)) +
                     sizeof(std::int64_t);
  queue_.launch(select_,
                {.items = {items * tops_.sides() * tops_.channels() / span_, 1},
                 .group = {items, 1},
                 .local_bytes = local},
                {in.buffer,
                 in.first,
                 in.stride,
                 past_.buffer(),
                 tops_.levels(),
                 scales_,
                 first_rivals_,
                 rivals_,
                 marks_,
                 opens_,
                 counters_,
                 past_.rows(),
                 shape_.words,
                 shape_.slots,
                 now(),
                 from,
                 to,
                 end,
                 plan_.rules.distance,
                 plan_.rules.max_cluster,
                 tops_.channels(),
                 static_cast<std::int32_t>(span_),
                 tops_.first_side()});
}

void PeaksByRulesOnDevice::take(const op::DeviceBlock& in, std::int64_t from, std::int64_t to,
                                std::int64_t last, const op::DeviceEvents& events) {
  const std::int64_t first = std::max<std::int64_t>(from, 0);
  if (to <= first) {
    return;
  }
  const std::int64_t words = (to + kMarksInWord - 1) / kMarksInWord - first / kMarksInWord;
  queue_.launch(take_, {.items = {std::int64_t{tops_.channels()} * tops_.sides(), words}},
                {in.buffer,
                 in.first,
                 in.stride,
                 past_.buffer(),
                 tops_.levels(),
                 scales_,
                 marks_,
                 events.rows,
                 events.capacity,
                 past_.rows(),
                 shape_.words,
                 now(),
                 first,
                 to,
                 at_.first_frame,
                 last,
                 plan_.rules.half_window,
                 plan_.rules.horizon,
                 tops_.channels(),
                 tops_.sides(),
                 tops_.first_side()});
}

bool PeaksByRulesOnDevice::finish(std::span<op::DeviceEmission> out) {
  const op::DeviceEvents& events = out[0].events;
  queue_.launch(begin_, {.items = {1, 1}}, {events.rows});
  if (plan_.rules.horizon == 0) {
    return true;
  }
  const op::DeviceBlock none = past_.instead_of_block();
  if (!ended_) {
    ended_ = true;
    taken_ = std::max(at_.first_frame, now() - plan_.rules.horizon);
    select(none, 0, now());
  }
  // As many frames as there is room for the most peaks of: of one side, every second.
  const std::int64_t of_a_channel = events.capacity / tops_.channels();
  const std::int64_t frames = tops_.sides() == 2 ? of_a_channel : 2 * of_a_channel - 1;
  const std::int64_t to = std::min(now(), taken_ + frames);
  take(none, taken_, to, now() - 1, events);
  taken_ = to;
  return taken_ == now();
}

void PeaksByRulesOnDevice::hand_over(op::State& to) const {
  auto& state = static_cast<PeakState&>(to);
  tops_.hand_over(state);
  const auto counters = queue_.download<std::int32_t>(counters_);
  state.too_flat = too_flat_ + counters[0];
  state.forced = forced_ + counters[1];
  if (plan_.rules.horizon > 0) {
    hand_over_peaks(
        plan_, shape_,
        {queue_.download<float>(past_.buffer()), queue_.download<std::uint32_t>(marks_), {}},
        state);
  }
}

void PeaksByRulesOnDevice::take_over(const op::State& from) {
  const auto& state = static_cast<const PeakState&>(from);
  tops_.take_over(state);
  too_flat_ = state.too_flat;
  forced_ = state.forced;
  queue_.clear(counters_);
  if (plan_.rules.horizon > 0) {
    const PeakTables tables = tables_of(plan_, shape_, state);
    queue_.upload(past_.buffer(), tables.rows);
    queue_.upload(marks_, tables.marks);
    queue_.upload(opens_, tables.opens);
  }
}
}  // namespace

std::unique_ptr<op::DeviceStep> peaks_by_rules_on(const op::DevicePlace& place,
                                                  const PeakPlan& plan, const op::StartPoint& at) {
  return std::make_unique<PeaksByRulesOnDevice>(place, plan, at);
}

std::size_t peaks_by_rules_bytes(const PeakPlan& plan, std::int64_t channels,
                                 std::int64_t frames) noexcept {
  std::size_t most_rivals = 0;
  for (const auto& one : plan.competitors) {
    most_rivals = std::max(most_rivals, one.size());
  }
  const PeakTablesShape shape = peak_tables_shape(plan.rules, channels, frames);
  const auto each = static_cast<std::size_t>(channels);
  return KeptRows::bytes_for(shape.rows, channels) + shape.mark_count() * sizeof(std::uint32_t) +
         shape.open_count() * sizeof(std::int64_t) + (3 * each + 2) * sizeof(double) +
         (each * (most_rivals + 1) + 3) * sizeof(std::int32_t);
}

}  // namespace weir::signal
