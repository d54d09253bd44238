#include "weir/op/device_step.h"
#include "weir/testing/fake_step_internal.h"
#include "weir/testing/toy_cl.h"

namespace weir::testing {
namespace {
struct OnDevice {};

struct Levels final : op::State {
  std::vector<float> levels;
};

class SumOnDevice final : public op::DeviceStep {
 public:
  SumOnDevice(const op::DevicePlace& place, const op::StartPoint& at, Fault fault)
      : queue_(place.queue),
        kernel_(place.device.kernel(kernels::kToy, "toy_running_sum")),
        channels_(static_cast<std::int32_t>(at.channel_count)),
        fault_(fault),
        sums_(place.device.allocate(bytes_for(at.channel_count))) {
    queue_.clear(sums_);
  }
  static std::size_t bytes_for(std::int64_t channels) noexcept {
    return static_cast<std::size_t>(channels) * sizeof(float);
  }

  void run(const op::DeviceBlock& in, std::span<op::DeviceEmission> out) override {
    const op::DeviceBlock& to = out[0].room;
    const float extra = fault_ == Fault::device_depends_on_block ? 1.0F : 0.0F;
    const std::int64_t before = fault_ == Fault::device_writes_elsewhere ? 1 : 0;
    for (int i = fault_ == Fault::device_launches_often ? 9 : 0; i > 0; --i) {
      queue_.launch(kernel_, {},
                    {in.buffer, in.first, in.stride, to.buffer, to.first, to.stride, sums_,
                     std::int64_t{0}, channels_, 0.0F});
    }
    queue_.launch(kernel_, {.items = {channels_, 1}},
                  {in.buffer, in.first, in.stride, to.buffer, to.first - before, to.stride, sums_,
                   in.frames, channels_, extra});
    out[0].frames = in.frames;
  }
  void hand_over(op::State& to) const override {
    if (fault_ != Fault::device_forgets) {
      static_cast<Levels&>(to).levels = queue_.download<float>(sums_);
    }
  }
  void take_over(const op::State& from) override {
    queue_.upload(sums_, static_cast<const Levels&>(from).levels);
  }

 private:
  compute::Queue& queue_;
  compute::Kernel kernel_;
  std::int32_t channels_;
  Fault fault_;
  compute::Buffer sums_;
};

/// Halves before it adds, so that both targets add in the same order and stay small.
class SumStep final : public FakeStep {
 public:
  SumStep(const op::StepContext& context, Fault fault)
      : FakeStep(same_signal(context.in, fault), fault) {}
  double tolerance() const noexcept override { return 0; }
  std::int64_t settle_frames() const noexcept override { return 200; }
  std::size_t state_bytes(std::int64_t channels) const noexcept override {
    return SumOnDevice::bytes_for(channels);
  }
  std::unique_ptr<op::State> start(const op::StartPoint& at) const override {
    auto state = std::make_unique<Levels>();
    state->levels.resize(static_cast<std::size_t>(at.channel_count));
    return state;
  }
  void run(op::State& state, AnyBlock in, std::span<op::Emission> out) const override {
    auto& levels = static_cast<Levels&>(state).levels;
    for (std::int64_t row = 0; row < in.frames(); ++row) {
      for (std::int64_t channel = 0; channel < in.channels(); ++channel) {
        float& level = levels[static_cast<std::size_t>(channel)];
        level = 0.5F * level + in.as<float>()(row, channel);
        out[0].room.as<float>().row(row)[channel] = level;
      }
    }
    out[0].frames = in.frames();
  }
  void save(const op::State& state, op::ByteWriter& to) const override {
    to.put_all(static_cast<const Levels&>(state).levels);
  }
  void load(op::State& state, op::ByteReader& from) const override {
    from.get_all(std::span<float>(static_cast<Levels&>(state).levels));
  }

  bool runs_on(const compute::Target&) const noexcept override { return true; }
  std::unique_ptr<op::DeviceStep> device(const op::DevicePlace& place,
                                         const op::StartPoint& at) const override {
    return std::make_unique<SumOnDevice>(place, at, fault_);
  }
  std::size_t device_bytes(std::int64_t channels, std::int64_t) const noexcept override {
    return fault_ == Fault::device_understates_bytes ? 1 : SumOnDevice::bytes_for(channels);
  }
};
}  // namespace

std::unique_ptr<op::Operator> fake_on_device(Fault fault) {
  return op::make_operator(
      op::OperatorParts<OnDevice>{.name = "fake_on_device",
                                  .summary = "Forgets half of what it knows with every sample.",
                                  .schema = op::Schema<OnDevice>{},
                                  .plan =
                                      [fault](const OnDevice&, const op::StepContext& context) {
                                        return std::make_unique<SumStep>(context, fault);
                                      },
                                  .device = kernels::kToy});
}

}  // namespace weir::testing
