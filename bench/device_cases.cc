#include "device_cases.h"

#include <cstdlib>
#include <initializer_list>
#include <utility>

namespace weir::bench {
namespace {
Value members(std::initializer_list<std::pair<const char*, Value>> list) {
  Value object = Value::object();
  for (const auto& [key, value] : list) {
    object.set(key, value);
  }
  return object;
}

Value numbers(std::initializer_list<double> list) {
  Value array = Value::array();
  for (const double number : list) {
    array.push_back(number);
  }
  return array;
}

Value two_bands() {
  Value bands = Value::array();
  bands.push_back(numbers({300, 1000}));
  bands.push_back(numbers({1000, 6000}));
  return bands;
}

/// Spikes that go down.
Value peaks(std::initializer_list<std::pair<const char*, Value>> list) {
  Value params = members(list);
  params.set("height", 48.0);
  params.set("peak_sign", "neg");
  return params;
}

/// A weight for every two channels that are at most `reach` apart.
Value matrix_rows(std::int64_t reach) {
  Value rows = Value::array();
  for (std::int64_t k = 0; k < kChannels; ++k) {
    Value row = Value::array();
    for (std::int64_t c = 0; c < kChannels; ++c) {
      row.push_back(std::abs(c - k) <= reach ? 1.0 / static_cast<double>(1 + (7 * c + k) % 13)
                                             : 0.0);
    }
    rows.push_back(std::move(row));
  }
  return members({{"rows", std::move(rows)}});
}

}  // namespace

std::vector<Case> device_cases() {  // NOLINT(readability-function-size): a table
  const auto band = [](const char* precision) {
    return members(
        {{"band", "bandpass"}, {"cutoff_hz", numbers({300, 6000})}, {"precision", precision}});
  };
  const auto both_ways = [&](const char* precision) {
    Value params = band(precision);
    params.set("mode", "zero_phase");
    return params;
  };
  return {
      {"rectify", "rectify", members({})},
      {"square", "square", members({})},
      {"clamp", "clamp", members({{"min", -20.0}, {"max", 20.0}})},
      {"log", "log", members({{"base", "dB"}, {"floor", 1e-3}})},
      {"diff, first", "diff", members({})},
      {"diff, third", "diff", members({{"n", 3}})},
      {"teager_kaiser", "teager_kaiser", members({})},
      {"running zscore, 0.1 s", "zscore", members({{"scope", "running"}, {"window_s", 0.1}})},
      {"running detrend, 0.1 s", "detrend", members({{"scope", "running"}, {"window_s", 0.1}})},
      {"subtract_baseline, 0.1 s", "subtract_baseline", members({{"baseline_s", 0.1}})},
      {"blank, lines", "blank",
       members({{"times_s", numbers({0.5, 1.0, 1.5})}, {"mode", "linear"}})},
      {"remove_saturation", "remove_saturation", members({{"level", 50.0}})},
      {"hampel of 7", "hampel", members({})},
      {"hampel of 31", "hampel", members({{"width", 31}})},
      {"mean reference, float32", "common_reference", members({{"statistic", "mean"}})},
      {"mean reference, int16", "common_reference", members({{"statistic", "mean"}}),
       SampleType::int16},
      {"median of 9", "median", members({{"width", 9}})},
      {"FIR 63", "fir", members({{"band", "lowpass"}, {"cutoff_hz", 6000}, {"length", 63}})},
      {"FIR 601", "fir",
       members({{"band", "lowpass"}, {"cutoff_hz", 6000}, {"length", 601}, {"method", "direct"}})},
      {"resample 1/3", "resample", members({{"rate_hz", 10000}})},
      {"decimate 1/12", "decimate", members({{"q", 12}})},
      {"phase shift, Neuropixels 1.0", "phase_shift", members({{"probe", "neuropixels_1"}})},
      {"gaussian, sigma 3", "gaussian", members({{"sigma", 3.0}})},
      {"envelope from 1000 Hz", "hilbert", members({{"low_hz", 1000.0}})},
      {"IIR order 5, float32 state", "iir", band("float32")},
      {"IIR order 5, float64 state", "iir", band("float64")},
      {"IIR zero phase, float32 state", "iir", both_ways("float32")},
      {"IIR zero phase, float64 state", "iir", both_ways("float64")},
      {"median reference, float32", "common_reference", members({})},
      {"median reference, int16", "common_reference", members({}), SampleType::int16},
      {"matrix, full", "matrix", matrix_rows(kChannels)},
      {"matrix, 20 neighbours", "matrix", matrix_rows(20)},
      {"matrix, 1 neighbour", "matrix", matrix_rows(1)},
      {"peaks", "peaks", members({{"height", 48.0}, {"peak_sign", "neg"}})},
      {"peaks 1 ms apart", "peaks", peaks({{"distance_s", 1e-3}})},
      {"peaks 1 ms and 50 um apart", "peaks", peaks({{"distance_s", 1e-3}, {"radius_um", 50.0}})},
      {"peaks by prominence", "peaks", peaks({{"prominence", 60.0}, {"wlen_s", 0.01}})},
      {"psd of 256", "psd", members({})},
      {"psd of 1000", "psd", members({{"nperseg", 1000}})},
      {"psd of 4096", "psd", members({{"nperseg", 4096}})},
      {"spectrogram of 256", "spectrogram", members({})},
      {"spectrogram of 1024", "spectrogram", members({{"nperseg", 1024}})},
      {"band_power, two bands", "band_power", members({{"bands", two_bands()}})},
      {"coherence, one with 383", "coherence", members({{"reference_channel", 0}})},
      {"crossings", "crossings", members({{"level", -48.0}, {"refractory_s", 0.001}})},
      {"snippets, 10 a ms", "snippets", members({})},
      {"snippets of one channel, 10 a ms", "snippets", members({{"channels", "own"}})},
  };
}

}  // namespace weir::bench
