#include "weir/signal/ops/spectrogram/spectrogram.h"

#include <fmt/format.h>

#include <cmath>

#include "weir/signal/ops/spectrogram/spectrogram_cl.h"
#include "weir/signal/ops/spectrogram/spectrogram_internal.h"

namespace weir::signal {
namespace {
constexpr std::int64_t kMostColumns = std::int64_t{1} << 20;  // What readers take.

KeptBins kept_bins(const Spectrogram& params, const SpectralPlan& plan, const StreamInfo& in) {
  const double nyquist = in.rate.hz() / 2;
  const double low = params.low_hz.value_or(0);
  const double high = params.high_hz.value_or(nyquist);
  if (high < low) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("high_hz: {} Hz is below low_hz, {} Hz", high, low));
  }
  KeptBins kept{.first = plan.bins(), .count = 0, .size = plan.transform.size};
  for (std::int64_t bin = 0; bin < plan.bins(); ++bin) {
    const double hz = bin_hz(plan, in.rate, bin);
    if (hz >= low && hz <= high) {
      kept.first = std::min(kept.first, bin);
      ++kept.count;
    }
  }
  if (kept.count == 0) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("low_hz: no frequency lies between {} and {} Hz: there is one each {} "
                            "Hz up to {} Hz",
                            low, high, bin_hz(plan, in.rate, 1), nyquist));
  }
  if (kept.count * in.channel_count() > kMostColumns) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("nperseg: {} frequencies of {} channels make more than {} columns; "
                            "low_hz and high_hz keep fewer",
                            kept.count, in.channel_count(), kMostColumns));
  }
  return kept;
}

std::vector<Channel> columns_of(const Spectrogram& params, const SpectralPlan& plan,
                                const KeptBins& kept, const StreamInfo& in) {
  std::vector<Channel> columns;
  columns.reserve(static_cast<std::size_t>(kept.count * in.channel_count()));
  for (const auto& channel : in.channels) {
    const Channel power = power_channel(channel, params.scaling);
    for (std::int64_t bin = kept.first; bin < kept.first + kept.count; ++bin) {
      columns.push_back(power);
      columns.back().name = fmt::format("{} @ {:.9g} Hz", channel.name, bin_hz(plan, in.rate, bin));
    }
  }
  return columns;
}

std::unique_ptr<op::Step> plan(const Spectrogram& params, const op::StepContext& context) {
  SpectralPlan plan = plan_spectra(params, params.scaling, Rational(1, 8), context.in);
  const KeptBins kept = kept_bins(params, plan, context.in);
  auto channels = columns_of(params, plan, kept, context.in);
  WindowColumns columns;
  columns.spread = kept.count;
  columns.scratch_floats = plan.bins() * kLanePadding;
  columns.fill = [kept, bins = plan.bins()](const SpectralPiece& piece, float* scratch,
                                            float* row) {
    powers_of(piece.spectrum, bins, scratch);
    spread_powers(kept, scratch, piece.channels, row + piece.lane * kept.count);
  };
  columns.on_device = [kept](const op::DevicePlace& place, std::int64_t channel_count) {
    return spectrogram_on(place, kept, channel_count);
  };
  return std::make_unique<WindowRowsStep>(std::move(plan), context.in, std::move(channels),
                                          std::move(columns));
}

const op::Schema<Spectrogram>& schema() {
  using op::field;
  static const auto kFields = spectral_schema<Spectrogram>(
      "an eighth of them if not given",
      field("scaling", &Spectrogram::scaling,
            {.doc = "density: power per Hz; spectrum: the power of a sine at its frequency."}),
      field("low_hz", &Spectrogram::low_hz,
            {.unit = "Hz", .min = 0, .doc = "Lowest frequency that is kept; all if not given."}),
      field("high_hz", &Spectrogram::high_hz,
            {.unit = "Hz", .min = 0, .doc = "Highest frequency that is kept."}));
  return kFields;
}
}  // namespace

void spread_powers(const KeptBins& kept, const float* powers, std::int64_t channels, float* row) {
  // Sixteen frequencies of all channels at a time: what is read stays in the first cache.
  constexpr std::int64_t kAtOnce = 16;
  for (std::int64_t first = 0; first < kept.count; first += kAtOnce) {
    const std::int64_t end = std::min(first + kAtOnce, kept.count);
    for (std::int64_t c = 0; c < channels; ++c) {
      for (std::int64_t i = first; i < end; ++i) {
        const std::int64_t bin = kept.first + i;
        const float power = powers[bin * kLanePadding + c];
        row[c * kept.count + i] = kept.is_double(bin) ? 2 * power : power;
      }
    }
  }
}

const op::Operator& spectrogram_operator() {
  static const auto kMade = op::make_operator<Spectrogram>(
      {.name = "spectrogram",
       .summary = "Power over time and frequency: a row a window, a channel a frequency.",
       .schema = schema(),
       .plan = plan,
       .device = kernels::kSpectrogram});
  return *kMade;
}

}  // namespace weir::signal
