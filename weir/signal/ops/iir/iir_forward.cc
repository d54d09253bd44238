#include <algorithm>

#include "weir/signal/ops/iir/iir_step_internal.h"

namespace weir::signal {
namespace {
/// The causal filter: frames go in and out one for one.
template <class T>
class ForwardStep final : public op::Step {
 public:
  explicit ForwardStep(IirPlan plan)
      : plan_(std::move(plan)),
        coefficients_(delta_coefficients<T>(plan_.sections)),
        ports_{output_port(plan_.context.in)} {}

  const std::vector<op::Port>& ports() const noexcept override { return ports_; }
  op::Parallel parallel() const noexcept override { return op::Parallel::channels; }
  std::int64_t settle_frames() const noexcept override { return plan_.run_in; }
  std::size_t state_bytes(std::int64_t channels) const noexcept override {
    return sizeof(ForwardState<T>) +
           (1 + ScanState<T>::kStates) *
               CascadeState<T>::bytes_for(plan_.sections.size(), channels);
  }
  double tolerance() const noexcept override { return plan_.tolerance; }
  std::vector<std::string> decisions() const override { return plan_.decisions; }

  std::unique_ptr<op::State> start(const op::StartPoint& at) const override {
    const bool rest = plan_.running.start == IirStart::rest;
    return std::make_unique<ForwardState<T>>(plan_.sections.size(), at.channel_count, rest);
  }

  void run(op::State& state, AnyBlock in, std::span<op::Emission> out) const override {
    auto& mine = static_cast<ForwardState<T>&>(state);
    const auto from = in.as<const float>();
    const auto to = out[0].room.slice(0, in.frames()).as<float>();
    out[0].frames = in.frames();
    if (in.frames() == 0) {
      return;
    }
    if (!mine.settled) {
      mine.cascade.settle(steady_state(plan_.sections), from.row(0));
      mine.settled = true;
    }
    filter_rows(mine.cascade.with(coefficients_), from, to);
    mine.scan.into_span = 0;
  }

  bool runs_on(const compute::Target& target) const noexcept override {
    return std::is_same_v<T, float> || target.fp64;
  }
  std::unique_ptr<op::DeviceStep> device(const op::DevicePlace& place,
                                         const op::StartPoint& at) const override {
    const bool rest = plan_.running.start == IirStart::rest;
    const auto steady =
        rest ? decltype(steady_state(plan_.sections)){} : steady_state(plan_.sections);
    return forward_on<T>(place, plan_.sections, steady, at);
  }
  std::size_t device_bytes(std::int64_t channels, std::int64_t frames) const noexcept override {
    return forward_device_values(plan_.sections.size(), channels, frames) * sizeof(T);
  }

  void save(const op::State& state, op::ByteWriter& to) const override {
    const auto& mine = static_cast<const ForwardState<T>&>(state);
    to.put(mine.settled);
    to.put_all(std::span<const T>(mine.cascade.values()));
    save_scan(mine.scan, to);
  }
  void load(op::State& state, op::ByteReader& from) const override {
    auto& mine = static_cast<ForwardState<T>&>(state);
    mine.settled = from.get<bool>();
    from.get_all(mine.cascade.values());
    load_scan(mine.scan, mine.cascade, from);
  }

 private:
  IirPlan plan_;
  std::vector<T> coefficients_;
  std::vector<op::Port> ports_;
};
}  // namespace

op::Port output_port(const StreamInfo& in) {
  op::Port port;
  port.name = "signal";
  port.stream = in;
  port.stream.type = SampleType::float32;
  for (Channel& channel : port.stream.channels) {
    channel.offset = 0;
  }
  return port;
}

std::unique_ptr<op::Step> make_forward_step(IirPlan plan) {
  if (plan.float32_state) {
    return std::make_unique<ForwardStep<float>>(std::move(plan));
  }
  return std::make_unique<ForwardStep<double>>(std::move(plan));
}

}  // namespace weir::signal
