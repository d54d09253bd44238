#include <algorithm>

#include "weir/op/device_step.h"
#include "weir/signal/ops/common_reference/common_reference_cl.h"
#include "weir/signal/ops/common_reference/common_reference_internal.h"

namespace weir::signal {
namespace {

/// About so many items in a group.
constexpr std::int64_t kItems = 128;
constexpr std::int64_t kMostRows = 16;
/// What every GPU of the last ten years gives one group.
constexpr std::int64_t kLocalBytes = 48 << 10;

/// The work of one group; see common_reference.cl.
struct GroupShape {
  std::int64_t rows = 0;
  std::int64_t items = 0;
  std::int64_t local_bytes = 0;
};

GroupShape group_shape(const ReferencePlan& plan) noexcept {
  const auto channels = static_cast<std::int64_t>(plan.channels.size());
  const auto sets = static_cast<std::int64_t>(plan.sets.size());
  const bool median = plan.statistic == ReferenceStatistic::median;
  const std::int64_t words = (channels + 31) / 32;
  const std::int64_t row_items = median ? words : 32;
  const std::int64_t row_bytes = 4 * (median ? (words + 1) * 33 + sets : 32 + sets);
  // Half of the memory, so that groups can take turns; a single row may take all.
  const std::int64_t most = std::min({kItems / row_items, kLocalBytes / 2 / row_bytes, kMostRows});
  GroupShape shape;
  shape.rows = std::max<std::int64_t>(1, most);
  shape.items = (shape.rows * row_items + 31) / 32 * 32;
  shape.local_bytes = shape.rows * row_bytes;
  return shape;
}

/// The tables of a plan as the kernels want them.
struct ReferenceTables {
  explicit ReferenceTables(const ReferencePlan& plan) {
    const std::size_t channels = plan.channels.size();
    const std::size_t words = (channels + 31) / 32;
    terms.resize(3 * channels, 1.0F);
    places.resize(2 * channels, -1);
    for (std::size_t c = 0; c < channels; ++c) {
      terms[c] = plan.weighted ? plan.weight[c] : 1.0F;
      terms[channels + c] = plan.weighted ? plan.per_weight[c] : 1.0F;
      terms[2 * channels + c] = plan.fold[c];
      places[c] = plan.member[c];
    }
    masks.resize(plan.sets.size() * words, 0);
    offsets.push_back(0);
    for (std::size_t s = 0; s < plan.sets.size(); ++s) {
      for (const auto member : plan.sets[s].members) {
        const std::uint32_t bit = std::uint32_t{1} << (member % 32);
        auto& word = masks[s * words + member / 32];
        word = static_cast<std::int32_t>(static_cast<std::uint32_t>(word) | bit);
        list.push_back(static_cast<std::int32_t>(member));
      }
      for (const auto target : plan.sets[s].targets) {
        places[channels + target] = static_cast<std::int32_t>(s);
      }
      offsets.push_back(static_cast<std::int32_t>(list.size()));
    }
  }

  std::vector<float> terms;
  std::vector<std::int32_t> places;
  std::vector<std::int32_t> masks;
  std::vector<std::int32_t> offsets;
  std::vector<std::int32_t> list;
};

class ReferenceOnDevice final : public op::DeviceStep {
 public:
  ReferenceOnDevice(const op::DevicePlace& place, const ReferencePlan& plan)
      : queue_(place.queue),
        median_(plan.statistic == ReferenceStatistic::median),
        integer_(plan.integer ? 1 : 0),
        channels_(static_cast<std::int32_t>(plan.channels.size())),
        sets_(static_cast<std::int32_t>(plan.sets.size())),
        shape_(group_shape(plan)) {
    // Means of counts are divided in float64, as on the CPU, where the device has it.
    const bool wide = plan.integer && !median_ && place.device.target().fp64;
    kernel_ = place.device.kernel(kernels::kCommonReference,
                                  median_ ? "reference_median" : "reference_mean",
                                  wide ? compute::Real::float64 : compute::Real::float32);
    const ReferenceTables tables(plan);
    terms_ = place.device.allocate(place.queue, tables.terms);
    places_ = place.device.allocate(place.queue, tables.places);
    if (median_) {
      members_ = place.device.allocate(place.queue, tables.masks);
    } else {
      members_ = place.device.allocate(place.queue, tables.offsets);
      list_ = place.device.allocate(place.queue, tables.list);
    }
  }

  void run(const op::DeviceBlock& in, std::span<op::DeviceEmission> out) override {
    const op::DeviceBlock& to = out[0].room;
    out[0].frames = in.frames;
    const compute::Range range{
        .items = {(in.frames + shape_.rows - 1) / shape_.rows * shape_.items, 1},
        .group = {shape_.items, 1},
        .local_bytes = static_cast<std::size_t>(shape_.local_bytes)};
    const auto rows = static_cast<std::int32_t>(shape_.rows);
    if (median_) {
      queue_.launch(kernel_, range,
                    {in.buffer, in.buffer, integer_, in.first, in.stride, to.buffer, to.first,
                     to.stride, terms_, places_, members_, in.frames, channels_, sets_, rows});
    } else {
      queue_.launch(
          kernel_, range,
          {in.buffer, in.buffer, integer_, in.first, in.stride, to.buffer, to.first, to.stride,
           terms_, places_, members_, list_, in.frames, channels_, sets_, rows});
    }
  }

 private:
  compute::Queue& queue_;
  bool median_;
  std::int32_t integer_;
  std::int32_t channels_;
  std::int32_t sets_;
  GroupShape shape_;
  compute::Kernel kernel_;
  compute::Buffer terms_;
  compute::Buffer places_;
  compute::Buffer members_;  ///< Masks for the median, offsets into the list for the mean.
  compute::Buffer list_;
};
}  // namespace

bool reference_fits_device(const ReferencePlan& plan) noexcept {
  return group_shape(plan).local_bytes <= kLocalBytes;
}

std::unique_ptr<op::DeviceStep> reference_on(const op::DevicePlace& place,
                                             const ReferencePlan& plan) {
  if (!reference_fits_device(plan)) {
    return nullptr;
  }
  const bool median = plan.statistic == ReferenceStatistic::median;
  auto step = median ? turned_median_on(place, plan) : held_mean_on(place, plan);
  return step != nullptr ? std::move(step) : std::make_unique<ReferenceOnDevice>(place, plan);
}

std::size_t reference_device_bytes(const ReferencePlan& plan) noexcept {
  const std::size_t channels = plan.channels.size();
  std::size_t words = 5 * channels;
  if (plan.statistic == ReferenceStatistic::median) {
    words += plan.sets.size() * ((channels + 31) / 32 + 13);
  } else {
    words += plan.sets.size() + kLaneWords;
    for (const auto& set : plan.sets) {
      words += set.members.size();
    }
  }
  return words * sizeof(float);
}

}  // namespace weir::signal
