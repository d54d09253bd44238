#include "weir/pipeline/plan/convert_step.h"

#include <fmt/format.h>

#include <algorithm>

#include "weir/compute/convert.h"
#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/op/device_convert.h"

namespace weir::pipeline {
namespace {
/// The counts that stand for an offset; NaN-free because gains of 0 are refused by `in_form`.
std::vector<float> shifts(const StreamInfo& in, const op::InputForm& form) {
  std::vector<float> shift(static_cast<std::size_t>(padded_channels(in.channel_count())), 0.0F);
  if (form.zero_based) {
    std::transform(
        in.channels.begin(), in.channels.end(), shift.begin(),
        [](const Channel& channel) { return static_cast<float>(channel.offset / channel.gain); });
  }
  return shift;
}

class ConvertState final : public op::State {
 public:
  explicit ConvertState(std::int64_t first) : first_channel(first) {}
  const std::int64_t first_channel;
};

class ConvertOnDevice final : public op::DeviceStep {
 public:
  ConvertOnDevice(const op::DevicePlace& place, const std::vector<float>& shift)
      : convert_(place), shift_(place.device.allocate(place.queue, shift)) {}
  void run(const op::DeviceBlock& in, std::span<op::DeviceEmission> out) override {
    out[0].frames = in.frames;
    if (in.frames > 0) {
      convert_.shift(in, shift_, out[0].room);
    }
  }

 private:
  op::DeviceConvert convert_;
  compute::Buffer shift_;
};

class ConvertStep final : public op::Step {
 public:
  ConvertStep(const StreamInfo& in, const op::InputForm& form, op::Parallel parallel)
      : from_(in.type), parallel_(parallel), shift_(shifts(in, form)) {
    op::Port port;
    port.stream = in_form(in, form);
    ports_.push_back(std::move(port));
  }

  const std::vector<op::Port>& ports() const noexcept override { return ports_; }
  op::Parallel parallel() const noexcept override { return parallel_; }
  std::size_t state_bytes(std::int64_t) const noexcept override { return sizeof(ConvertState); }
  std::unique_ptr<op::State> start(const op::StartPoint& at) const override {
    return std::make_unique<ConvertState>(at.first_channel);
  }
  void run(op::State& state, AnyBlock in, std::span<op::Emission> out) const override {
    const auto first = static_cast<std::size_t>(static_cast<ConvertState&>(state).first_channel);
    const auto shift = std::span(shift_).subspan(first);
    const auto room = out[0].room.slice(0, in.frames()).as<float>();
    if (from_ == SampleType::int16) {
      compute::widen(in.as<std::int16_t>(), shift, room);
    } else {
      compute::shift(in.as<float>(), shift, room);
    }
    out[0].frames = in.frames();
  }
  bool runs_on(const compute::Target&) const noexcept override { return true; }
  std::unique_ptr<op::DeviceStep> device(const op::DevicePlace& place,
                                         const op::StartPoint& at) const override {
    const auto first = shift_.begin() + at.first_channel;
    return std::make_unique<ConvertOnDevice>(place,
                                             std::vector<float>(first, first + at.channel_count));
  }
  std::size_t device_bytes(std::int64_t channels, std::int64_t) const noexcept override {
    return static_cast<std::size_t>(channels) * sizeof(float);
  }
  double tolerance() const noexcept override { return 6e-8; }
  std::vector<std::string> decisions() const override {
    const bool shifted = std::any_of(shift_.begin(), shift_.end(), [](float s) { return s != 0; });
    return {fmt::format("{} to float32{}", name(from_),
                        shifted ? ", shifted so that 0 is 0 physical" : "")};
  }

 private:
  SampleType from_;
  op::Parallel parallel_;
  std::vector<float> shift_;
  std::vector<op::Port> ports_;
};
}  // namespace

StreamInfo in_form(const StreamInfo& in, const op::InputForm& form) {
  StreamInfo out = in;
  out.type = form.type;
  if (form.zero_based) {
    for (auto& channel : out.channels) {
      if (channel.gain == 0) {
        throw Error(ErrorCode::invalid_spec,
                    fmt::format("channel {} has the gain 0: its samples mean nothing; correct it "
                                "where it is stored, or leave the channel out",
                                printable(channel.name)));
      }
      channel.offset = 0;
    }
  }
  return out;
}

std::shared_ptr<const op::Step> make_convert_step(const StreamInfo& in, const op::InputForm& form,
                                                  op::Parallel parallel) {
  const StreamInfo wanted = in_form(in, form);
  if (wanted == in) {
    return nullptr;
  }
  const bool known = form.type == SampleType::float32 &&
                     (in.type == SampleType::int16 || in.type == SampleType::float32);
  if (!known) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("takes {}, its input is {}", name(form.type), name(in.type)));
  }
  return std::make_shared<ConvertStep>(in, form, parallel);
}

}  // namespace weir::pipeline
