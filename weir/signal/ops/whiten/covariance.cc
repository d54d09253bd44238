#include <algorithm>
#include <cmath>

#include "weir/signal/ops/whiten/covariance_internal.h"

namespace weir::signal {
namespace {
std::size_t product(std::int64_t a, std::int64_t b) noexcept {
  return static_cast<std::size_t>(a) * static_cast<std::size_t>(b);
}

std::int64_t panels_of(std::size_t channels) noexcept {
  return (static_cast<std::int64_t>(channels) + kCovariancePanel - 1) / kCovariancePanel;
}
}  // namespace

CovarianceSums::CovarianceSums(std::vector<std::int64_t> channels)
    : channels_(std::move(channels)),
      panels_(panels_of(channels_.size())),
      rows_(product(panels_ * kCovariancePanel, kCovarianceFrames)),
      sums_(product(panels_ * kCovariancePanel, panels_ * kCovariancePanel)),
      totals_(product(panels_, kCovariancePanel)) {}

std::size_t CovarianceSums::bytes_for(std::size_t channels) noexcept {
  const std::int64_t padded = panels_of(channels) * kCovariancePanel;
  return (product(padded, kCovarianceFrames) + product(padded, padded) + product(padded, 1)) *
         sizeof(double);
}

void CovarianceSums::add(Block<const float> counts) {
  for (std::int64_t f = 0; f < counts.frames(); ++f) {
    const float* row = counts.row(f);
    const bool known = std::all_of(channels_.begin(), channels_.end(),
                                   [row](std::int64_t c) { return std::isfinite(row[c]); });
    if (!known) {
      continue;
    }
    double* to = rows_.data() + waiting_ * kCovariancePanel;
    for (std::size_t i = 0; i < channels_.size(); ++i) {
      const auto at = static_cast<std::int64_t>(i);
      const double value = row[channels_[i]];
      to[at / kCovariancePanel * kCovarianceFrames * kCovariancePanel + at % kCovariancePanel] =
          value;
      totals_[i] += value;
    }
    ++frames_;
    if (++waiting_ == kCovarianceFrames) {
      take();
    }
  }
}

void CovarianceSums::take() {
  add_products(rows_.data(), panels_, waiting_, sums_.data());
  waiting_ = 0;
}

Covariance CovarianceSums::finish(const std::vector<double>& gains) const {
  CovarianceSums rest = *this;
  rest.take();
  const std::size_t channels = channels_.size();
  const auto width = product(panels_, kCovariancePanel);
  Covariance covariance{frames_, std::vector<double>(channels * channels)};
  const double count = frames_ > 0 ? static_cast<double>(frames_) : 1;
  for (std::size_t i = 0; i < channels; ++i) {
    for (std::size_t j = i; j < channels; ++j) {
      const double raw = rest.sums_[i * width + j] / count;
      const double means = (totals_[i] / count) * (totals_[j] / count);
      // A constant channel's variance is the rounding of its square.
      const bool constant = i == j && raw - means <= 1e-13 * raw;
      const double value = constant ? 0 : (raw - means) * gains[i] * gains[j];
      covariance.values[i * channels + j] = value;
      covariance.values[j * channels + i] = value;
    }
  }
  return covariance;
}

}  // namespace weir::signal
