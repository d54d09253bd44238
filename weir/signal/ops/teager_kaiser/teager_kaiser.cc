#include "weir/signal/ops/teager_kaiser/teager_kaiser.h"

#include "weir/signal/ops/square/square.h"
#include "weir/signal/ops/teager_kaiser/teager_kaiser_cl.h"
#include "weir/signal/ops/teager_kaiser/teager_kaiser_internal.h"

namespace weir::signal {
namespace {
class TeagerKaiserStep final : public op::Step {
 public:
  explicit TeagerKaiserStep(StreamInfo in) {
    in.type = SampleType::float32;
    for (auto& channel : in.channels) {
      channel = squared(std::move(channel));
    }
    ports_.push_back({.name = "signal", .stream = std::move(in)});
  }

  const std::vector<op::Port>& ports() const noexcept override { return ports_; }
  op::Parallel parallel() const noexcept override { return op::Parallel::channels; }
  op::Latency latency() const noexcept override { return {2, 1}; }
  std::int64_t max_output(std::int64_t frames) const noexcept override { return frames + 1; }
  std::size_t state_bytes(std::int64_t channels) const noexcept override {
    return Buffer::bytes_for(SampleType::float32, TeagerKaiserState::kRows, channels);
  }

  std::unique_ptr<op::State> start(const op::StartPoint& at) const override {
    return std::make_unique<TeagerKaiserState>(at.channel_count);
  }
  void run(op::State& state, AnyBlock in, std::span<op::Emission> out) const override {
    auto& energy = static_cast<TeagerKaiserState&>(state);
    const Block<const float> rows = in.as<float>();
    const std::int64_t first = energies_after(energy.fed);
    const std::int64_t end = energies_after(energy.fed + rows.frames());
    emit(energy, rows, first, end, out[0].room.as<float>());
    out[0].frames = end - first;
    for (std::int64_t i = std::max<std::int64_t>(0, rows.frames() - TeagerKaiserState::kRows);
         i < rows.frames(); ++i) {
      std::copy_n(rows.row(i), energy.channels,
                  energy.past.as<float>().row((energy.fed + i) % TeagerKaiserState::kRows));
    }
    energy.fed += rows.frames();
  }
  bool finish(op::State& state, std::span<op::Emission> out) const override {
    auto& energy = static_cast<TeagerKaiserState&>(state);
    const std::int64_t first = energies_after(energy.fed);
    emit(energy, {}, first, energy.fed, out[0].room.as<float>());
    out[0].frames = energy.fed - first;
    return true;
  }

  void save(const op::State& state, op::ByteWriter& to) const override {
    const auto& energy = static_cast<const TeagerKaiserState&>(state);
    to.put(energy.fed);
    for (std::int64_t row = 0; row < TeagerKaiserState::kRows; ++row) {
      to.put_all(std::span<const float>(energy.past.as<float>().row(row),
                                        static_cast<std::size_t>(energy.channels)));
    }
  }
  void load(op::State& state, op::ByteReader& from) const override {
    auto& energy = static_cast<TeagerKaiserState&>(state);
    energy.fed = from.get<std::int64_t>();
    for (std::int64_t row = 0; row < TeagerKaiserState::kRows; ++row) {
      from.get_all(std::span<float>(energy.past.as<float>().row(row),
                                    static_cast<std::size_t>(energy.channels)));
    }
  }

  bool runs_on(const compute::Target&) const noexcept override { return true; }
  std::unique_ptr<op::DeviceStep> device(const op::DevicePlace& place,
                                         const op::StartPoint& at) const override {
    return teager_kaiser_on(place, at.channel_count);
  }
  std::size_t device_bytes(std::int64_t channels, std::int64_t) const noexcept override {
    return static_cast<std::size_t>(TeagerKaiserState::kRows * channels) * sizeof(float);
  }

 private:
  /// Energies of the rows from `first` to `end`; those at the ends are their neighbours'.
  static void emit(const TeagerKaiserState& state, Block<const float> in, std::int64_t first,
                   std::int64_t end, Block<float> out) {
    const std::int64_t last = state.fed + in.frames() - 1;
    for (std::int64_t t = first; t < end; ++t) {
      float* to = out.row(t - first);
      if (last < 2) {
        std::fill_n(to, state.channels, 0.0F);
        continue;
      }
      const std::int64_t middle = std::clamp<std::int64_t>(t, 1, last - 1);
      teager_kaiser_row(state.row(middle - 1, in), state.row(middle, in), state.row(middle + 1, in),
                        state.channels, to);
    }
  }

  std::vector<op::Port> ports_;
};
}  // namespace

const op::Operator& teager_kaiser_operator() {
  static const auto kMade = op::make_operator<TeagerKaiser>(
      {.name = "teager_kaiser",
       .summary = "Teager-Kaiser energy, high where amplitude and frequency are.",
       .schema = op::Schema<TeagerKaiser>{},
       .plan = [](const TeagerKaiser&, const op::StepContext& context)
           -> std::unique_ptr<op::Step> { return std::make_unique<TeagerKaiserStep>(context.in); },
       .device = kernels::kTeagerKaiser});
  return *kMade;
}

}  // namespace weir::signal
