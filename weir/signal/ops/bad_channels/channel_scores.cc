#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "weir/signal/ops/bad_channels/bad_channels.h"

namespace weir::signal {
namespace {
double median_of(std::vector<double>& values) {
  const auto middle = values.begin() + std::ssize(values) / 2;
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) {
    return *middle;
  }
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

/// The median over channels of every frame.
std::vector<double> common_signal(const Eigen::MatrixXd& centred) {
  std::vector<double> common;
  std::vector<double> row(static_cast<std::size_t>(centred.cols()));
  for (Eigen::Index frame = 0; frame < centred.rows(); ++frame) {
    for (Eigen::Index c = 0; c < centred.cols(); ++c) {
      row[static_cast<std::size_t>(c)] = centred(frame, c);
    }
    common.push_back(median_of(row));
  }
  return common;
}

/// The running median, both ends continued by their values.
std::vector<double> running_median(const std::vector<double>& values, std::int64_t width) {
  std::vector<double> smooth;
  const std::int64_t half = width / 2;
  const std::int64_t last = std::ssize(values) - 1;
  std::vector<double> window;
  for (std::int64_t at = 0; at <= last; ++at) {
    window.clear();
    for (std::int64_t i = at - half; i <= at + half; ++i) {
      window.push_back(values[static_cast<std::size_t>(std::clamp<std::int64_t>(i, 0, last))]);
    }
    smooth.push_back(median_of(window));
  }
  return smooth;
}

/// Cosines and sines under a hann window of the frequencies above the threshold, side by side, and
/// their weights in a mean of spectral densities.
struct HighBand {
  Eigen::MatrixXd waves;  ///< Shape: [2 frequencies, window].
  Eigen::VectorXd weights;
};

HighBand high_band(const ScoreRules& rules) {
  const std::int64_t length = rules.window;
  const std::int64_t first = rules.first_line();
  const std::int64_t count = length / 2 - first + 1;
  HighBand band{Eigen::MatrixXd(2 * count, length), Eigen::VectorXd(2 * count)};
  double energy = 0;
  for (std::int64_t t = 0; t < length; ++t) {
    const double turn = 2 * std::numbers::pi * static_cast<double>(t) / static_cast<double>(length);
    const double window = (1 - std::cos(turn)) / 2;
    energy += window * window;
    for (std::int64_t k = 0; k < count; ++k) {
      band.waves(2 * k, t) = window * std::cos(turn * static_cast<double>(first + k));
      band.waves(2 * k + 1, t) = window * std::sin(turn * static_cast<double>(first + k));
    }
  }
  for (std::int64_t k = 0; k < count; ++k) {
    const double sides = 2 * (first + k) == length ? 1 : 2;
    band.weights(2 * k) = sides / (rules.rate_hz * energy * static_cast<double>(count));
    band.weights(2 * k + 1) = band.weights(2 * k);
  }
  return band;
}

std::vector<double> high_powers(const Eigen::MatrixXd& centred, const ScoreRules& rules) {
  const HighBand band = high_band(rules);
  const std::int64_t step = rules.window - rules.window / 2;
  Eigen::RowVectorXd total = Eigen::RowVectorXd::Zero(centred.cols());
  std::int64_t pieces = 0;
  for (std::int64_t at = 0; at + rules.window <= centred.rows(); at += step, ++pieces) {
    Eigen::MatrixXd piece = centred.middleRows(at, rules.window);
    piece.rowwise() -= piece.colwise().mean();
    const Eigen::MatrixXd lines = band.waves * piece;
    total += band.weights.transpose() * lines.cwiseAbs2();
  }
  total /= static_cast<double>(std::max<std::int64_t>(1, pieces));
  return {total.begin(), total.end()};
}
}  // namespace

ChannelScores score_chunk(std::span<const double> chunk, std::int64_t channels,
                          const ScoreRules& rules) {
  const auto frames = static_cast<Eigen::Index>(std::ssize(chunk) / channels);
  Eigen::MatrixXd centred = Eigen::Map<const Eigen::MatrixXd>(chunk.data(), frames, channels);
  centred.rowwise() -= centred.colwise().mean().eval();
  const auto common = common_signal(centred);
  const Eigen::Map<const Eigen::RowVectorXd> median(common.data(), frames);
  const double energy = median.squaredNorm();
  const Eigen::RowVectorXd products = median * centred;
  std::vector<double> likeness;
  for (const double product : products) {
    likeness.push_back(energy > 0 ? product / energy : 0);
  }
  ChannelScores scores;
  const auto around = running_median(likeness, rules.n_neighbors);
  for (std::size_t c = 0; c < likeness.size(); ++c) {
    scores.neighbours.push_back(likeness[c] - around[c]);
    scores.distant.push_back(around[c] - 1);
  }
  scores.high_power = high_powers(centred, rules);
  return scores;
}

std::vector<ChannelLabel> label_chunk(const ChannelScores& scores, const BadChannels& params) {
  const std::size_t count = scores.neighbours.size();
  std::vector<ChannelLabel> labels(count, ChannelLabel::good);
  for (std::size_t c = 0; c < count; ++c) {
    if (scores.neighbours[c] < params.dead_channel_threshold) {
      labels[c] = ChannelLabel::dead;
    }
    if (scores.high_power[c] > params.psd_hf_threshold ||
        scores.neighbours[c] > params.noisy_channel_threshold) {
      labels[c] = ChannelLabel::noise;
    }
  }
  const auto unlike = [&](std::size_t c) {
    return scores.distant[c] < params.outside_channel_threshold;
  };
  const OutsideEnd end = params.outside_channels_location;
  for (std::size_t c = 0; end != OutsideEnd::top && c < count && unlike(c); ++c) {
    labels[c] = ChannelLabel::out;
  }
  for (std::size_t c = count; end != OutsideEnd::bottom && c > 0 && unlike(c - 1); --c) {
    labels[c - 1] = ChannelLabel::out;
  }
  return labels;
}

std::vector<ChannelLabel> label_spreads(std::span<const double> spreads,
                                        const BadChannels& params) {
  std::vector<double> known;
  std::copy_if(spreads.begin(), spreads.end(), std::back_inserter(known),
               [](double spread) { return std::isfinite(spread); });
  const double middle = known.empty() ? 0 : median_of(known);
  std::vector<ChannelLabel> labels;
  for (const double spread : spreads) {
    const bool dead = !(spread > 0);
    const bool noisy = spread > params.std_mad_threshold * middle;
    labels.push_back(dead ? ChannelLabel::dead : noisy ? ChannelLabel::noise : ChannelLabel::good);
  }
  return labels;
}

}  // namespace weir::signal
