#include "weir/testing/fake_operators.h"

#include <hwy/targets.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "weir/testing/fake_step_internal.h"

namespace weir::testing {
namespace {
struct Gain {
  double gain = 2;
};
struct Nothing {};
struct Echo {
  std::int64_t frames = 20;
};
struct Decimator {
  std::int64_t factor = 8;
};

class GainStep final : public FakeStep {
 public:
  struct GainState final : op::State {
    std::vector<float> hoard;
    float previous = 0;
    float targets = 0;
  };
  GainStep(const Gain& gain, const op::StepContext& context, Fault fault)
      : FakeStep(same_signal(context.in, fault), fault), gain_(static_cast<float>(gain.gain)) {}
  op::Parallel parallel() const noexcept override {
    return fault_ == Fault::depends_on_group ? op::Parallel::channels : op::Parallel::frames;
  }
  std::int64_t max_output(std::int64_t frames) const noexcept override {
    return fault_ == Fault::lies_about_output ? frames - 1 : frames;
  }
  std::unique_ptr<op::State> start(const op::StartPoint& at) const override {
    static_cast<void>(at);
    return std::make_unique<GainState>();
  }
  void run(op::State& state, AnyBlock in, std::span<op::Emission> out) const override {
    auto& own = static_cast<GainState&>(state);
    if (fault_ == Fault::depends_on_target) {
      own.targets =
          static_cast<float>(std::popcount(static_cast<std::uint64_t>(hwy::SupportedTargets())));
    }
    const Block<float> from = in.as<float>();
    const Block<float> to = out[0].room.as<float>();
    for (std::int64_t frame = 0; frame < in.frames(); ++frame) {
      for (std::int64_t channel = 0; channel < in.channels(); ++channel) {
        to.row(frame)[channel] = gain_ * from(frame, channel) + extra(own, from, frame, channel);
      }
      own.previous = from(frame, 0);
    }
    if (fault_ == Fault::changes_input && in.frames() > 0) {
      from(0, 0) += 1;
    }
    if (fault_ == Fault::leaks) {
      own.hoard.insert(own.hoard.end(), 4096, 1.0F);
    }
    out[0].frames = in.frames();
  }

 private:
  float extra(const GainState& state, Block<float> from, std::int64_t frame,
              std::int64_t channel) const {
    switch (fault_) {
      case Fault::depends_on_block:
        return from(0, channel);
      case Fault::depends_on_group:
        return static_cast<float>(channel);
      case Fault::looks_ahead:
        return state.previous;
      case Fault::depends_on_target:
        return state.targets;
      case Fault::spreads_nan:
        return 0 * from((frame + 1) % from.frames(), channel);
      default:
        return 0;
    }
  }
  float gain_;
};

class SumStep final : public FakeStep {
 public:
  struct SumState final : op::State {
    std::unique_ptr<double[]> sums;
    std::int64_t channels = 0;
  };
  SumStep(const op::StepContext& context, Fault fault)
      : FakeStep(same_signal(context.in, fault), fault),
        shared_(static_cast<std::size_t>(context.in.channel_count())) {}
  std::int64_t settle_frames() const noexcept override {
    return fault_ == Fault::understates_settling ? 0 : std::int64_t{1} << 40;
  }
  std::size_t state_bytes(std::int64_t channels) const noexcept override {
    return fault_ == Fault::understates_state ? 0 : static_cast<std::size_t>(channels) * 8;
  }
  std::unique_ptr<op::State> start(const op::StartPoint& at) const override {
    auto state = std::make_unique<SumState>();
    state->channels = at.channel_count;
    const auto count = static_cast<std::size_t>(at.channel_count);
    state->sums = fault_ == Fault::reads_unwritten ? std::make_unique_for_overwrite<double[]>(count)
                                                   : std::make_unique<double[]>(count);
    return state;
  }
  void run(op::State& state, AnyBlock in, std::span<op::Emission> out) const override {
    double* sums =
        fault_ == Fault::shares_state ? shared_.data() : static_cast<SumState&>(state).sums.get();
    const Block<float> from = in.as<float>();
    const Block<float> to = out[0].room.as<float>();
    for (std::int64_t frame = 0; frame < in.frames(); ++frame) {
      for (std::int64_t channel = 0; channel < in.channels(); ++channel) {
        const std::int64_t source =
            fault_ == Fault::spreads_nan && channel > 0 && std::isnan(from(frame, channel - 1))
                ? channel - 1
                : channel;
        sums[channel] += from(frame, source);
        to(frame, channel) = static_cast<float>(sums[channel]);
      }
    }
    out[0].frames = in.frames();
  }
  void save(const op::State& state, op::ByteWriter& to) const override {
    const auto& own = static_cast<const SumState&>(state);
    if (fault_ != Fault::forgets_when_saved) {
      to.put_all(std::span<const double>(own.sums.get(), static_cast<std::size_t>(own.channels)));
    }
  }
  void load(op::State& state, op::ByteReader& from) const override {
    auto& own = static_cast<SumState&>(state);
    if (fault_ != Fault::forgets_when_saved) {
      from.get_all(std::span<double>(own.sums.get(), static_cast<std::size_t>(own.channels)));
    }
  }

 private:
  mutable std::vector<double> shared_;
};

class EchoStep final : public FakeStep {
 public:
  struct EchoState final : op::State {
    std::vector<float> held;  ///< The last frames, oldest first.
    std::int64_t channels = 0;
  };
  EchoStep(const Echo& echo, const op::StepContext& context, Fault fault)
      : FakeStep(same_signal(context.in, fault), fault), delay_(echo.frames) {}
  op::Latency latency() const noexcept override {
    return fault_ == Fault::understates_latency ? op::Latency{} : op::Latency{delay_, delay_};
  }
  std::int64_t max_output(std::int64_t frames) const noexcept override {
    return std::max(frames, delay_);
  }
  std::size_t state_bytes(std::int64_t channels) const noexcept override {
    return static_cast<std::size_t>((delay_ + 1) * channels) * sizeof(float);
  }
  std::unique_ptr<op::State> start(const op::StartPoint& at) const override {
    auto state = std::make_unique<EchoState>();
    state->channels = at.channel_count;
    state->held.reserve(static_cast<std::size_t>((delay_ + 1) * at.channel_count));
    return state;
  }
  void run(op::State& state, AnyBlock in, std::span<op::Emission> out) const override {
    auto& own = static_cast<EchoState&>(state);
    const Block<float> to = out[0].room.as<float>();
    const auto width = static_cast<std::ptrdiff_t>(own.channels);
    for (std::int64_t frame = 0; frame < in.frames(); ++frame) {
      const float* row = in.as<float>().row(frame);
      own.held.insert(own.held.end(), row, row + width);
      if (static_cast<std::int64_t>(own.held.size()) > delay_ * own.channels) {
        emit(own, row, to, out[0]);
      }
    }
  }
  bool finish(op::State& state, std::span<op::Emission> out) const override {
    auto& own = static_cast<EchoState&>(state);
    const std::vector<float> zeros(
        fault_ == Fault::drops_tail ? 0 : static_cast<std::size_t>(own.channels));
    while (!own.held.empty() && !zeros.empty()) {
      emit(own, zeros.data(), out[0].room.as<float>(), out[0]);
    }
    return true;
  }
  void save(const op::State& state, op::ByteWriter& to) const override {
    to.put_all(static_cast<const EchoState&>(state).held);
  }
  void load(op::State& state, op::ByteReader& from) const override {
    for (const float value : from.get_vector<float>()) {
      static_cast<EchoState&>(state).held.push_back(value);
    }
  }

 private:
  static void emit(EchoState& state, const float* later, Block<float> to, op::Emission& out) {
    for (std::int64_t channel = 0; channel < state.channels; ++channel) {
      to(out.frames, channel) = state.held[static_cast<std::size_t>(channel)] + later[channel];
    }
    state.held.erase(state.held.begin(),
                     state.held.begin() + static_cast<std::ptrdiff_t>(state.channels));
    ++out.frames;
  }
  std::int64_t delay_;
};

op::Port decimated(const Decimator& decimator, const StreamInfo& in, Fault fault) {
  op::Port port = same_signal(in, fault);
  port.ratio = Rational(1, decimator.factor);
  port.stream.rate = SampleRate(port.stream.rate.exact() * port.ratio);
  for (auto& segment : port.stream.segments) {
    segment.frames = port.ratio.ceil_times(segment.frames);
    segment.first_frame = 0;
  }
  return port;
}

class DecimatorStep final : public FakeStep {
 public:
  DecimatorStep(const Decimator& decimator, const op::StepContext& context, Fault fault)
      : FakeStep(decimated(decimator, context.in, fault), fault), factor_(decimator.factor) {}
  std::int64_t grid_frames() const noexcept override {
    return fault_ == Fault::depends_on_block ? 1 : factor_;
  }
  std::int64_t max_output(std::int64_t frames) const noexcept override {
    return fault_ == Fault::lies_about_output ? frames / factor_ / 2
                                              : (frames + factor_ - 1) / factor_;
  }
  std::unique_ptr<op::State> start(const op::StartPoint& at) const override {
    static_cast<void>(at);
    return std::make_unique<op::State>();
  }
  void run(op::State& state, AnyBlock in, std::span<op::Emission> out) const override {
    static_cast<void>(state);
    const Block<float> to(static_cast<float*>(out[0].room.data()), in.frames(), in.channels(),
                          out[0].room.stride());
    for (std::int64_t first = 0; first < in.frames(); first += factor_) {
      const std::int64_t count = std::min(factor_, in.frames() - first);
      for (std::int64_t channel = 0; channel < in.channels(); ++channel) {
        float sum = 0;
        for (std::int64_t frame = first; frame < first + count; ++frame) {
          sum += in.as<float>()(frame, channel);
        }
        to(out[0].frames, channel) = sum / static_cast<float>(count);
      }
      ++out[0].frames;
    }
  }

 private:
  std::int64_t factor_;
};

}  // namespace

std::unique_ptr<op::Operator> fake_gain(Fault fault) {
  return op::make_operator(op::OperatorParts<Gain>{
      .name = "fake_gain",
      .summary = "Multiplies.",
      .schema = op::Schema<Gain>{op::field("gain", &Gain::gain,
                                           {.min = -1000, .max = 1000, .doc = "Factor."})},
      .plan = [fault](const Gain& gain, const op::StepContext& context) {
        return std::make_unique<GainStep>(gain, context, fault);
      }});
}

std::unique_ptr<op::Operator> fake_running_sum(Fault fault) {
  return op::make_operator(
      op::OperatorParts<Nothing>{.name = "fake_running_sum",
                                 .summary = "Adds up.",
                                 .schema = op::Schema<Nothing>{},
                                 .plan = [fault](const Nothing&, const op::StepContext& context) {
                                   return std::make_unique<SumStep>(context, fault);
                                 }});
}

std::unique_ptr<op::Operator> fake_echo(Fault fault) {
  return op::make_operator(op::OperatorParts<Echo>{
      .name = "fake_echo",
      .summary = "Adds what comes later.",
      .schema = op::Schema<Echo>{op::field(
          "frames", &Echo::frames,
          {.min = 1, .max = 1000, .required = true, .doc = "How much later."})},
      .plan = [fault](const Echo& echo, const op::StepContext& context) {
        return std::make_unique<EchoStep>(echo, context, fault);
      }});
}

std::unique_ptr<op::Operator> fake_decimator(Fault fault) {
  return op::make_operator(op::OperatorParts<Decimator>{
      .name = "fake_decimator",
      .summary = "Averages neighbours.",
      .schema = op::Schema<Decimator>{op::field(
          "factor", &Decimator::factor, {.min = 1, .max = 1000, .doc = "Frames per mean."})},
      .plan = [fault](const Decimator& decimator, const op::StepContext& context) {
        return std::make_unique<DecimatorStep>(decimator, context, fault);
      }});
}

}  // namespace weir::testing
