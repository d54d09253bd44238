#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "weir/core/buffer.h"
#include "weir/op/step.h"
#include "weir/signal/ops/whiten/whiten.h"

namespace weir::signal {

/// Sums that stand side by side in a vector loop.
inline constexpr std::int64_t kCovariancePanel = 16;
/// Frames that are taken together: their doubles stay in the second cache.
inline constexpr std::int64_t kCovarianceFrames = 64;

/// Sums of products of pairs of channels in float64, each added frame by frame in order, wherever
/// the frames were cut. A frame with a NaN or an infinity among its channels is left out whole.
class CovarianceSums {
 public:
  explicit CovarianceSums(std::vector<std::int64_t> channels);

  void add(Block<const float> counts);
  /// Per count, of the gains of the channels.
  Covariance finish(const std::vector<double>& gains) const;
  static std::size_t bytes_for(std::size_t channels) noexcept;

 private:
  void take();

  std::vector<std::int64_t> channels_;
  std::int64_t panels_;
  std::int64_t frames_ = 0;
  std::int64_t waiting_ = 0;  ///< Frames in `rows_` that are not in the sums yet.
  std::vector<double> rows_;  ///< Shape: [panels, kCovarianceFrames, kCovariancePanel].
  std::vector<double> sums_;  ///< Shape: [panels * 16, panels * 16], columns from the row's panel.
  std::vector<double> totals_;  ///< Shape: [panels * 16].
};

/// sums[i, j] += sum over frames of rows[i] * rows[j], for every panel of j from that of i on.
void add_products(const double* rows, std::int64_t panels, std::int64_t frames, double* sums);

}  // namespace weir::signal
