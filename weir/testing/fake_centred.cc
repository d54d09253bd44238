#include "weir/testing/fake_step_internal.h"

namespace weir::testing {
namespace {
struct Centred {};

class MeanFitter final : public op::Fitter {
 public:
  explicit MeanFitter(Fault fault) : fault_(fault) {}
  void add(AnyBlock block) override {
    if (fault_ == Fault::fit_depends_on_cut) {
      sum_ = 0;
      count_ = 0;
    }
    for (std::int64_t frame = 0; frame < block.frames(); ++frame) {
      sum_ += block.as<float>()(frame, 0);
      ++count_;
    }
  }
  Value finish() override { return count_ > 0 ? sum_ / static_cast<double>(count_) : 0.0; }

 private:
  Fault fault_;
  double sum_ = 0;
  std::int64_t count_ = 0;
};

class CentredStep final : public FakeStep {
 public:
  CentredStep(const StreamInfo& in, Fault fault, std::optional<double> mean)
      : FakeStep(same_signal(in, fault), fault), mean_(mean) {}
  op::Fit fit() const noexcept override { return mean_ ? op::Fit::none : op::Fit::sample; }
  std::unique_ptr<op::Fitter> fitter() const override {
    return std::make_unique<MeanFitter>(fault_);
  }
  std::unique_ptr<op::Step> fitted(const Value& values) const override {
    return std::make_unique<CentredStep>(ports_.front().stream, fault_, values.as_number());
  }
  std::unique_ptr<op::State> start(const op::StartPoint& at) const override {
    static_cast<void>(at);
    WEIR_CHECK(mean_.has_value());
    return std::make_unique<op::State>();
  }
  void run(op::State& state, AnyBlock in, std::span<op::Emission> out) const override {
    static_cast<void>(state);
    for (std::int64_t frame = 0; frame < in.frames(); ++frame) {
      for (std::int64_t channel = 0; channel < in.channels(); ++channel) {
        out[0].room.as<float>()(frame, channel) =
            in.as<float>()(frame, channel) - static_cast<float>(*mean_);
      }
    }
    out[0].frames = in.frames();
  }

 private:
  std::optional<double> mean_;
};
}  // namespace

std::unique_ptr<op::Operator> fake_centred(Fault fault) {
  return op::make_operator(op::OperatorParts<Centred>{
      .name = "fake_centred",
      .summary = "Takes a mean away.",
      .schema = op::Schema<Centred>{},
      .plan = [fault](const Centred&, const op::StepContext& context) {
        return std::make_unique<CentredStep>(context.in, fault, std::nullopt);
      }});
}

}  // namespace weir::testing
