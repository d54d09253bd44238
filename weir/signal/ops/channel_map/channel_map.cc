#include "weir/signal/ops/channel_map/channel_map.h"

#include "weir/op/device_pick.h"
#include "weir/op/device_pick_cl.h"
#include "weir/op/device_step.h"
#include "weir/signal/ops/channel_map/channel_map_internal.h"

namespace weir::signal {
namespace {
class MapOnDevice final : public op::DeviceStep {
 public:
  MapOnDevice(const op::DevicePlace& place, const std::vector<std::int32_t>& from)
      : pick_(place, from) {}

  void run(const op::DeviceBlock& in, std::span<op::DeviceEmission> out) override {
    op::DeviceBlock to = out[0].room;
    to.frames = in.frames;
    pick_.pick(in, to);
    out[0].frames = in.frames;
  }

 private:
  op::DevicePick pick_;
};

class MapStep final : public op::Step {
 public:
  MapStep(PlannedMap map, const StreamInfo& in)
      : decisions_(std::move(map.decisions)),
        relabels_(map.keeps_order(in.channel_count())),
        from_(std::move(map.from)),
        lanes_(from_) {
    StreamInfo out = in;
    out.channels = std::move(map.channels);
    lanes_.resize(static_cast<std::size_t>(padded_channels(std::ssize(from_))), 0);
    ports_.push_back({.name = "signal", .stream = std::move(out)});
  }

  const std::vector<op::Port>& ports() const noexcept override { return ports_; }
  op::Parallel parallel() const noexcept override { return op::Parallel::frames; }
  double tolerance() const noexcept override { return 0; }
  bool relabels_only() const noexcept override { return relabels_; }
  std::vector<std::string> decisions() const override { return decisions_; }
  std::unique_ptr<op::State> start(const op::StartPoint&) const override {
    return std::make_unique<op::State>();
  }
  void run(op::State&, AnyBlock in, std::span<op::Emission> out) const override {
    const AnyBlock& room = out[0].room;
    if (ports_[0].stream.type == SampleType::int16) {
      pick_columns(lanes_, Block<const std::int16_t>(in.as<std::int16_t>()),
                   room.as<std::int16_t>());
    } else {
      pick_columns(lanes_, Block<const float>(in.as<float>()), room.as<float>());
    }
    out[0].frames = in.frames();
  }

  bool runs_on(const compute::Target&) const noexcept override { return true; }
  std::unique_ptr<op::DeviceStep> device(const op::DevicePlace& place,
                                         const op::StartPoint&) const override {
    return std::make_unique<MapOnDevice>(place, from_);
  }
  std::size_t device_bytes(std::int64_t, std::int64_t) const noexcept override {
    return from_.size() * sizeof(std::int32_t);
  }

 private:
  std::vector<std::string> decisions_;
  bool relabels_;
  std::vector<std::int32_t> from_;
  std::vector<std::int32_t> lanes_;  ///< The same, padded.
  std::vector<op::Port> ports_;
};
}  // namespace

const op::Operator& channel_map_operator() {
  using op::field;
  static const auto kMade = op::make_operator<ChannelMap>(
      {.name = "channel_map",
       .summary = "Put channels into another order, leave some out, name and place them.",
       .schema =
           op::Schema<ChannelMap>{
               field("pairs", &ChannelMap::pairs,
                     {.doc = "A list of {from, to, name}: which input (an index or a name) makes "
                             "which output; every output has exactly one input. Inputs in no pair "
                             "are left out; without a name the input's stays."}),
               field("file", &ChannelMap::file,
                     {.holds = op::Holds::document,
                      .doc = "Instead of pairs: a TOML or JSON file with a table channel_map (or "
                             "remap) of pairs and base."}),
               field("base", &ChannelMap::base,
                     {.min = 0,
                      .max = 1,
                      .doc = "The index of the first channel in pairs: 0 (if left out) or 1."}),
               field("probe", &ChannelMap::probe,
                     {.holds = op::Holds::document,
                      .doc = "A probeinterface file: gives positions and shanks to the channels "
                             "whose positions in their file its contacts are wired to."})},
       .plan = [](const ChannelMap& params,
                  const op::StepContext& context) -> std::unique_ptr<op::Step> {
         return std::make_unique<MapStep>(plan_channel_map(params, context.in), context.in);
       },
       .input_form = [](const ChannelMap&,
                        const StreamInfo& in) { return op::InputForm{in.type, false}; },
       .device = kernels::kDevicePick});
  return *kMade;
}

}  // namespace weir::signal
