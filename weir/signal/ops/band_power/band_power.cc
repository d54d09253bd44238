#include "weir/signal/ops/band_power/band_power.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "weir/signal/ops/band_power/band_power_cl.h"
#include "weir/signal/ops/band_power/band_power_internal.h"

namespace weir::op {
template <>
struct Codec<signal::FrequencyBands> {
  static std::string type() { return "any"; }
  static std::vector<std::string> choices() { return {}; }
  static signal::FrequencyBand band(std::string name, const Value& edges) {
    if (!edges.is_array() || edges.as_array().size() != 2) {
      throw Error(ErrorCode::invalid_spec,
                  fmt::format("{} is no band; one is [lowest, highest] in Hz", to_json(edges)));
    }
    return {std::move(name), edges.as_array()[0].as_number(), edges.as_array()[1].as_number()};
  }
  static signal::FrequencyBands read(const Value& value) {
    signal::FrequencyBands bands;
    if (value.is_object()) {
      for (const auto& [name, edges] : value.as_object()) {
        bands.list.push_back(band(name, edges));
      }
      return bands;
    }
    for (const Value& edges : value.as_array()) {
      bands.list.push_back(band({}, edges));
    }
    return bands;
  }
  static Value write(const signal::FrequencyBands& bands) {
    const bool named =
        !bands.list.empty() && std::none_of(bands.list.begin(), bands.list.end(),
                                            [](const auto& band) { return band.name.empty(); });
    Value value = named ? Value::object() : Value::array();
    for (const auto& band : bands.list) {
      Value edges = Value::Array{band.low_hz, band.high_hz};
      if (named) {
        value.set(band.name, std::move(edges));
      } else {
        value.push_back(std::move(edges));
      }
    }
    return value;
  }
};
}  // namespace weir::op

namespace weir::signal {

static std::span<const op::EnumName<BandIntegral>> names_of(BandIntegral) {
  static constexpr op::EnumName<BandIntegral> kNames[] = {{"simpson", BandIntegral::simpson},
                                                          {"trapezoid", BandIntegral::trapezoid}};
  return kNames;
}

namespace {
std::string text_of(const FrequencyBand& band) {
  return fmt::format("{}{}{:.9g}-{:.9g} Hz", band.name, band.name.empty() ? "" : " ", band.low_hz,
                     band.high_hz);
}

WeighedBins weighed_bins(const SpectralPlan& plan, const BandPower& params,
                         const FrequencyBand& band, const SampleRate& rate) {
  if (!(band.low_hz >= 0 && band.low_hz < band.high_hz && band.high_hz <= rate.hz() / 2)) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("bands: {} does not rise between 0 Hz and Nyquist, {} Hz",
                            text_of(band), rate.hz() / 2));
  }
  WeighedBins bins{.first = plan.bins(), .weights = {}};
  std::int64_t count = 0;
  for (std::int64_t bin = 0; bin < plan.bins(); ++bin) {
    const double hz = bin_hz(plan, rate, bin);
    if (hz >= band.low_hz && hz <= band.high_hz) {
      bins.first = std::min(bins.first, bin);
      ++count;
    }
  }
  if (count < 2) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("bands: {} has {} of the frequencies, which are {} Hz apart; an "
                            "integral needs 2: more nperseg or nfft makes them closer",
                            text_of(band), count, bin_hz(plan, rate, 1)));
  }
  const auto weights = integral_weights(params.integral, count, bin_hz(plan, rate, 1));
  for (std::int64_t i = 0; i < count; ++i) {
    const double both = plan.is_double(bins.first + i) ? 2 : 1;
    bins.weights.push_back(static_cast<float>(both * weights[static_cast<std::size_t>(i)]));
  }
  return bins;
}

WeighedBands weighed_bands(const SpectralPlan& plan, const BandPower& params,
                           const SampleRate& rate) {
  if (params.bands.list.empty()) {
    throw Error(ErrorCode::invalid_spec, "bands: there are none");
  }
  WeighedBands weighed;
  weighed.bins = plan.bins();
  for (const auto& band : params.bands.list) {
    weighed.bands.push_back(weighed_bins(plan, params, band, rate));
  }
  if (params.relative) {
    weighed.total = weighed_bins(plan, params, {"total", 0, rate.hz() / 2}, rate);
  }
  return weighed;
}

std::vector<Channel> columns_of(const BandPower& params, const StreamInfo& in) {
  std::vector<Channel> columns;
  for (const auto& channel : in.channels) {
    Channel power = power_channel(channel, SpectralScaling::spectrum);
    if (params.relative) {
      power.gain = 1;
      power.unit.clear();
    }
    for (const auto& band : params.bands.list) {
      columns.push_back(power);
      columns.back().name = fmt::format("{} {}", channel.name, text_of(band));
    }
  }
  return columns;
}

/// Powers of the window, a sum for each channel, their total. The columns of a channel lie side by
/// side.
void fill_row(const WeighedBands& bands, const SpectralPiece& piece, float* scratch, float* row) {
  float* sums = scratch + bands.bins * kLanePadding;
  float* total = sums + kLanePadding;
  const bool relative = !bands.total.weights.empty();
  powers_of(piece.spectrum, bands.bins, scratch);
  if (relative) {
    weigh_powers(bands.total, scratch, total);
  }
  const auto spread = std::ssize(bands.bands);
  float* to = row + piece.lane * spread;
  for (const auto& band : bands.bands) {
    weigh_powers(band, scratch, sums);
    for (std::int64_t c = 0; c < piece.channels; ++c) {
      to[c * spread] = relative ? sums[c] / total[c] : sums[c];
    }
    ++to;
  }
}

std::unique_ptr<op::Step> plan(const BandPower& params, const op::StepContext& context) {
  SpectralPlan plan = plan_spectra(params, SpectralScaling::density, Rational(1, 2), context.in);
  const WeighedBands bands = weighed_bands(plan, params, context.in.rate);
  WindowColumns columns;
  columns.spread = std::ssize(bands.bands);
  columns.scratch_floats = (plan.bins() + 2) * kLanePadding;
  columns.device_bytes = band_power_table_bytes(bands);
  columns.fill = [bands](const SpectralPiece& piece, float* scratch, float* row) {
    fill_row(bands, piece, scratch, row);
  };
  columns.on_device = [bands](const op::DevicePlace& place, std::int64_t channels) {
    return band_power_on(place, bands, channels);
  };
  return std::make_unique<WindowRowsStep>(std::move(plan), context.in,
                                          columns_of(params, context.in), std::move(columns));
}

const op::Schema<BandPower>& schema() {
  using op::field;
  static const auto kFields = spectral_schema<BandPower>(
      "half of them if not given",
      field("bands", &BandPower::bands,
            {.unit = "Hz",
             .required = true,
             .doc = "{name = [lowest, highest]}, or a list of [lowest, highest]; both ends are in "
                    "the band."}),
      field("integral", &BandPower::integral,
            {.doc = "Over the density of a band: as scipy.integrate.simpson or trapezoid."}),
      field("relative", &BandPower::relative,
            {.doc = "Shares of the power from 0 Hz to Nyquist."}));
  return kFields;
}
}  // namespace

std::vector<double> integral_weights(BandIntegral integral, std::int64_t count, double spacing) {
  std::vector<double> weights(static_cast<std::size_t>(count), 0.0);
  const auto add = [&](std::int64_t at, double weight) {
    weights[static_cast<std::size_t>(at)] += weight * spacing;
  };
  if (integral == BandIntegral::trapezoid || count == 2) {
    for (std::int64_t i = 0; i + 1 < count; ++i) {
      add(i, 0.5);
      add(i + 1, 0.5);
    }
    return weights;
  }
  for (std::int64_t i = 0; i + 2 < count; i += 2) {
    add(i, 1.0 / 3);
    add(i + 1, 4.0 / 3);
    add(i + 2, 1.0 / 3);
  }
  if (count % 2 == 0) {
    add(count - 1, 5.0 / 12);
    add(count - 2, 2.0 / 3);
    add(count - 3, -1.0 / 12);
  }
  return weights;
}

const op::Operator& band_power_operator() {
  static const auto kMade = op::make_operator<BandPower>(
      {.name = "band_power",
       .summary = "Power in bands of frequencies over time: a row a window, a channel a band.",
       .schema = schema(),
       .plan = plan,
       .device = kernels::kBandPower});
  return *kMade;
}

}  // namespace weir::signal
