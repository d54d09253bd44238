#include <algorithm>
#include <utility>

#include "weir/op/device_fours.h"
#include "weir/signal/ops/common_reference/common_reference_internal.h"
#include "weir/signal/ops/common_reference/common_reference_mean_cl.h"
#include "weir/signal/ops/common_reference/common_reference_median_cl.h"

namespace weir::signal {
namespace {

constexpr std::uint32_t kWordChannels = 32;
constexpr std::uint32_t kSearchWords = 12;  // MOST_WORDS of common_reference_median.cl.

/// First word of 32 channels with members of a set, and how many words hold them all.
std::pair<std::uint32_t, std::uint32_t> span_of(const ReferenceSet& set) noexcept {
  const std::uint32_t first = set.members.front() / kWordChannels;
  return {first, set.members.back() / kWordChannels - first + 1};
}

/// The work of one group of common_reference_median.cl: as many rows as its ROWS.
struct MedianShape {
  explicit MedianShape(const ReferencePlan& plan) noexcept {
    const std::int64_t words =
        (static_cast<std::int64_t>(plan.channels.size()) + kWordChannels - 1) / kWordChannels;
    // Keys have a word more, floats a plane more, and a search reads as many words behind a set.
    const std::int64_t planes =
        (plan.integer ? 16 : 32) * words + std::max<std::int64_t>(words, kSearchWords);
    items = kRows * words;
    key_words = kRows * planes;
    // Of each set two keys and their mean.
    local_bytes = 4 * (key_words + 3 * kRows * static_cast<std::int64_t>(plan.sets.size()));
  }
  bool fits() const noexcept { return items <= kMostItems && local_bytes <= kLocalBytes; }

  static constexpr std::int64_t kRows = 16;
  /// What every GPU of the last ten years gives one group.
  static constexpr std::int64_t kLocalBytes = 48 << 10;
  static constexpr std::int64_t kMostItems = 1024;

  std::int64_t items = 0;
  std::int64_t key_words = 0;
  std::int64_t local_bytes = 0;
};

/// The bit of a channel among its 32: counts lie two to a word when they are turned.
std::uint32_t plane_bit(bool integer, std::uint32_t channel) noexcept {
  const std::uint32_t bit = channel % kWordChannels;
  return std::uint32_t{1} << (integer ? bit / 2 + bit % 2 * 16 : bit);
}

std::vector<float> terms_of(const ReferencePlan& plan) {
  const std::size_t channels = plan.channels.size();
  std::vector<float> terms(3 * channels, 1.0F);
  for (std::size_t c = 0; c < channels; ++c) {
    terms[c] = plan.weighted ? plan.weight[c] : 1.0F;
    terms[channels + c] = plan.weighted ? plan.per_weight[c] : 1.0F;
    terms[2 * channels + c] = plan.fold[c];
  }
  return terms;
}

class TurnedMedian final : public op::DeviceStep {
 public:
  TurnedMedian(const op::DevicePlace& place, const ReferencePlan& plan)
      : queue_(place.queue),
        channels_(static_cast<std::int32_t>(plan.channels.size())),
        sets_(static_cast<std::int32_t>(plan.sets.size())),
        shape_(plan) {
    std::vector<std::int32_t> places(plan.channels.size(), -1);
    std::vector<std::int32_t> members(plan.sets.size() * kSearchWords, 0);
    std::vector<std::int32_t> starts;
    for (std::size_t s = 0; s < plan.sets.size(); ++s) {
      const auto [first, count] = span_of(plan.sets[s]);
      starts.push_back(static_cast<std::int32_t>(first));
      quads_ = std::max(quads_, static_cast<std::int32_t>((count + 3) / 4));
      for (const auto member : plan.sets[s].members) {
        auto& word = members[s * kSearchWords + member / kWordChannels - first];
        word = static_cast<std::int32_t>(static_cast<std::uint32_t>(word) |
                                         plane_bit(plan.integer, member));
      }
      for (const auto target : plan.sets[s].targets) {
        places[target] = static_cast<std::int32_t>(s);
      }
    }
    kernel_ =
        place.device.kernel(kernels::kCommonReferenceMedian,
                            plan.integer ? "reference_median_counts" : "reference_median_floats",
                            {{"QUADS", quads_}, {"SETS", sets_}});
    terms_ = place.device.allocate(place.queue, terms_of(plan));
    places_ = place.device.allocate(place.queue, places);
    members_ = place.device.allocate(place.queue, members);
    starts_ = place.device.allocate(place.queue, starts);
  }

  void run(const op::DeviceBlock& in, std::span<op::DeviceEmission> out) override {
    const op::DeviceBlock& to = out[0].room;
    out[0].frames = in.frames;
    queue_.launch(
        kernel_,
        {.items = {(in.frames + MedianShape::kRows - 1) / MedianShape::kRows * shape_.items, 1},
         .group = {shape_.items, 1},
         .local_bytes = static_cast<std::size_t>(shape_.local_bytes)},
        {in.buffer, in.first, in.stride, to.buffer, to.first, to.stride, terms_, places_, members_,
         starts_, in.frames, channels_, sets_, static_cast<std::int32_t>(shape_.key_words), quads_,
         op::in_fours(in, to)});
  }

 private:
  compute::Queue& queue_;
  compute::Kernel kernel_;
  std::int32_t channels_;
  std::int32_t sets_;
  std::int32_t quads_ = 1;
  MedianShape shape_;
  compute::Buffer terms_;
  compute::Buffer places_;
  compute::Buffer members_;
  compute::Buffer starts_;
};

/// Which of the 32 items of a row holds a channel, and as which of its samples.
std::pair<std::size_t, std::size_t> held_at(bool integer, std::size_t channel) noexcept {
  if (integer) {
    return {channel / 4 % 32, 4 * (channel / 128) + channel % 4};
  }
  return {channel % 32, channel / 32};
}

class HeldMean final : public op::DeviceStep {
 public:
  HeldMean(const op::DevicePlace& place, const ReferencePlan& plan)
      : queue_(place.queue),
        integer_(plan.integer),
        weighted_(plan.weighted ? 1 : 0),
        channels_(static_cast<std::int32_t>(plan.channels.size())),
        count_(static_cast<std::int32_t>(plan.sets[0].members.size())) {
    kernel_ = place.device.kernel(kernels::kCommonReferenceMean,
                                  integer_ ? "reference_mean_counts" : "reference_mean_floats");
    std::vector<std::int32_t> lanes(kLaneWords, 0);
    for (std::size_t c = 0; c < plan.channels.size(); ++c) {
      const auto [lane, sample] = held_at(integer_, c);
      const std::int32_t bit = std::int32_t{1} << sample;
      lanes[lane] |= plan.member[c] != 0 ? bit : 0;
      lanes[32 + lane] |= plan.target[c] != 0 ? bit : 0;
      lanes[64 + lane] |= plan.fold[c] != 0 ? bit : 0;
    }
    const auto& members = plan.sets[0].members;
    lanes_ = place.device.allocate(place.queue, lanes);
    terms_ = place.device.allocate(place.queue, terms_of(plan));
    list_ = place.device.allocate(place.queue,
                                  std::vector<std::int32_t>(members.begin(), members.end()));
  }

  void run(const op::DeviceBlock& in, std::span<op::DeviceEmission> out) override {
    const op::DeviceBlock& to = out[0].room;
    out[0].frames = in.frames;
    const compute::Range range{
        .items = {32 * in.frames, 1}, .group = {kItems, 1}, .local_bytes = kItems * sizeof(float)};
    if (integer_) {
      queue_.launch(kernel_, range,
                    {in.buffer, in.first, in.stride, to.buffer, to.first, to.stride, terms_, lanes_,
                     in.frames, channels_, count_, op::in_fours(in, to)});
    } else {
      queue_.launch(kernel_, range,
                    {in.buffer, in.first, in.stride, to.buffer, to.first, to.stride, terms_, lanes_,
                     list_, in.frames, channels_, count_, weighted_});
    }
  }

 private:
  static constexpr std::int64_t kItems = 64;

  compute::Queue& queue_;
  bool integer_;
  std::int32_t weighted_;
  std::int32_t channels_;
  std::int32_t count_;
  compute::Kernel kernel_;
  compute::Buffer terms_;
  compute::Buffer lanes_;
  compute::Buffer list_;
};

}  // namespace

std::unique_ptr<op::DeviceStep> turned_median_on(const op::DevicePlace& place,
                                                 const ReferencePlan& plan) {
  const bool narrow = std::all_of(plan.sets.begin(), plan.sets.end(), [](const auto& set) {
    return span_of(set).second <= kSearchWords;
  });
  if (!narrow || !MedianShape(plan).fits()) {
    return nullptr;
  }
  return std::make_unique<TurnedMedian>(place, plan);
}

std::unique_ptr<op::DeviceStep> held_mean_on(const op::DevicePlace& place,
                                             const ReferencePlan& plan) {
  constexpr std::size_t kHeldChannels = 512;  // 16 samples in each of 32 items.
  if (plan.sets.size() != 1 || plan.channels.size() > kHeldChannels) {
    return nullptr;
  }
  return std::make_unique<HeldMean>(place, plan);
}

}  // namespace weir::signal
