#include "weir/signal/ops/psd/psd.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "weir/signal/ops/psd/psd_cl.h"
#include "weir/signal/ops/psd/psd_internal.h"

namespace weir::signal {

static std::span<const op::EnumName<PsdAverage>> names_of(PsdAverage) {
  static constexpr op::EnumName<PsdAverage> kNames[] = {{"mean", PsdAverage::mean},
                                                        {"median", PsdAverage::median}};
  return kNames;
}

namespace {
constexpr std::int64_t kRowsAtOnce = 256;
constexpr std::int64_t kNever = std::int64_t{1} << 40;

op::Port port_of(const Psd& params, const SpectralPlan& plan, const StreamInfo& in) {
  op::Port port{.name = "psd", .stream = spectrum_stream(plan, in), .ratio = Rational(0)};
  for (auto& channel : port.stream.channels) {
    channel = power_channel(std::move(channel), params.scaling);
  }
  return port;
}

/// The median of `count` values; NaN where one is.
float median_of(float* values, std::int64_t count) {
  if (std::any_of(values, values + count, [](float value) { return std::isnan(value); })) {
    return std::numeric_limits<float>::quiet_NaN();
  }
  float* half = values + count / 2;
  std::nth_element(values, half, values + count);
  return count % 2 == 1 ? *half : 0.5F * *half + 0.5F * *std::max_element(values, half);
}

class PsdStep final : public op::Step {
 public:
  PsdStep(const Psd& params, const StreamInfo& in)
      : plan_(plan_spectra(params, params.scaling, Rational(1, 2), in)),
        average_(params.average),
        ports_{port_of(params, plan_, in)} {
    for (const auto& segment : in.segments) {
      frames_.push_back(segment.frames);
      most_windows_ = std::max(most_windows_, plan_.windows_in(segment.frames));
    }
  }

  const std::vector<op::Port>& ports() const noexcept override { return ports_; }
  op::Parallel parallel() const noexcept override { return op::Parallel::channels; }
  std::int64_t settle_frames() const noexcept override { return kNever; }
  std::int64_t max_output(std::int64_t) const noexcept override {
    return std::min(plan_.bins(), kRowsAtOnce);
  }
  std::size_t state_bytes(std::int64_t channels) const noexcept override {
    const std::size_t gathered = average_ == PsdAverage::median ? most_windows_ : 0;
    return SpectralFeed::bytes(plan_, channels) +
           (powers_floats(channels, most_windows_) + gathered) * sizeof(float);
  }
  std::unique_ptr<op::State> start(const op::StartPoint& at) const override {
    const std::int64_t frames = frames_[static_cast<std::size_t>(at.segment)];
    auto state = std::make_unique<PsdState>(plan_, frames, at.channel_count);
    state->rows = ports_[0].stream.segments[static_cast<std::size_t>(at.segment)].frames;
    state->powers.resize(powers_floats(at.channel_count, plan_.windows_in(frames)));
    return state;
  }
  void run(op::State& state, AnyBlock in, std::span<op::Emission> out) const override {
    auto& own = static_cast<PsdState&>(state);
    const std::int64_t packs = padded_channels(own.channels) / kLanePadding;
    own.feed.push(in.as<float>(), [&](const SpectralPiece& piece) {
      const std::int64_t pack = piece.lane / kLanePadding;
      if (average_ == PsdAverage::mean) {
        add_powers(piece.spectrum, plan_.bins(),
                   own.powers.data() + pack * plan_.bins() * 2 * kLanePadding);
      } else {
        powers_of(piece.spectrum, plan_.bins(),
                  own.powers.data() + (piece.window * packs + pack) * plan_.bins() * kLanePadding);
      }
    });
    out[0].frames = 0;
  }
  bool finish(op::State& state, std::span<op::Emission> out) const override {
    auto& own = static_cast<PsdState&>(state);
    const std::int64_t rows = std::min(max_output(0), own.rows - own.emitted);
    std::vector<float> gathered(
        average_ == PsdAverage::median ? static_cast<std::size_t>(own.feed.windows()) : 0);
    for (std::int64_t row = 0; row < rows; ++row) {
      emit(own, own.emitted + row, gathered, out[0].room.as<float>().row(row));
    }
    own.emitted += rows;
    out[0].frames = rows;
    return own.emitted == own.rows;
  }

  void save(const op::State& state, op::ByteWriter& to) const override {
    const auto& own = static_cast<const PsdState&>(state);
    own.feed.save(to);
    to.put_all(own.powers);
  }
  void load(op::State& state, op::ByteReader& from) const override {
    auto& own = static_cast<PsdState&>(state);
    own.feed.load(from);
    from.get_all(std::span(own.powers));
  }

  bool runs_on(const compute::Target&) const noexcept override { return true; }
  std::unique_ptr<op::DeviceStep> device(const op::DevicePlace& place,
                                         const op::StartPoint& at) const override {
    const std::int64_t frames = frames_[static_cast<std::size_t>(at.segment)];
    return average_ == PsdAverage::mean ? psd_on(place, plan_, frames, at.channel_count)
                                        : median_psd_on(place, plan_, frames, at.channel_count);
  }
  std::size_t device_bytes(std::int64_t channels, std::int64_t frames) const noexcept override {
    const std::size_t spectra = psd_device_bytes(plan_, channels, frames);
    return average_ == PsdAverage::mean
               ? spectra
               : spectra + psd_powers_bytes(plan_, channels, most_windows_);
  }

  double tolerance() const noexcept override { return plan_.tolerance(); }
  std::vector<std::string> decisions() const override { return plan_.decisions; }

 private:
  std::size_t powers_floats(std::int64_t channels, std::int64_t windows) const noexcept {
    const std::int64_t kept = average_ == PsdAverage::mean ? 2 : windows;
    return static_cast<std::size_t>(kept * plan_.bins() * padded_channels(channels));
  }

  void emit(const PsdState& state, std::int64_t bin, std::vector<float>& gathered,
            float* out) const {
    const std::int64_t windows = state.feed.windows();
    if (average_ == PsdAverage::mean) {
      const float factor = psd_factor(plan_, bin, windows);
      for (std::int64_t c = 0; c < state.channels; ++c) {
        const std::int64_t row = c / kLanePadding * plan_.bins() + bin;
        out[c] = factor *
                 state.powers[static_cast<std::size_t>(row * 2 * kLanePadding + c % kLanePadding)];
      }
      return;
    }
    const auto factor =
        static_cast<float>((plan_.is_double(bin) ? 2.0 : 1.0) / median_bias(windows));
    const std::int64_t packs = padded_channels(state.channels) / kLanePadding;
    for (std::int64_t c = 0; c < state.channels; ++c) {
      for (std::int64_t w = 0; w < windows; ++w) {
        const std::int64_t row = (w * packs + c / kLanePadding) * plan_.bins() + bin;
        gathered[static_cast<std::size_t>(w)] =
            state.powers[static_cast<std::size_t>(row * kLanePadding + c % kLanePadding)];
      }
      out[c] = factor * median_of(gathered.data(), windows);
    }
  }

  SpectralPlan plan_;
  PsdAverage average_;
  std::vector<op::Port> ports_;
  std::vector<std::int64_t> frames_;  ///< Of each segment.
  std::int64_t most_windows_ = 0;
};

const op::Schema<Psd>& schema() {
  using op::field;
  static const auto kFields = spectral_schema<Psd>(
      "half of them if not given",
      field("scaling", &Psd::scaling,
            {.doc = "density: power per Hz; spectrum: the power of a sine at its frequency."}),
      field("average", &Psd::average,
            {.doc = "Of the windows' powers. The median, corrected for its bias, keeps every power "
                    "in memory."}));
  return kFields;
}
}  // namespace

double median_bias(std::int64_t count) noexcept {
  double bias = 1;
  for (std::int64_t i = 1; i <= (count - 1) / 2; ++i) {
    const auto twice = static_cast<double>(2 * i);
    bias += 1 / (twice + 1) - 1 / twice;
  }
  return bias;
}

float psd_factor(const SpectralPlan& plan, std::int64_t bin, std::int64_t windows) noexcept {
  return static_cast<float>((plan.is_double(bin) ? 2.0 : 1.0) / static_cast<double>(windows));
}

const op::Operator& psd_operator() {
  static const auto kMade = op::make_operator<Psd>(
      {.name = "psd",
       .summary = "Power spectra by Welch's method: one table a segment, a row a frequency.",
       .schema = schema(),
       .plan = [](const Psd& params, const op::StepContext& context) -> std::unique_ptr<op::Step> {
         return std::make_unique<PsdStep>(params, context.in);
       },
       .device = kernels::kPsd});
  return *kMade;
}

}  // namespace weir::signal
