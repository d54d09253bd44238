#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "weir/signal/channel_matrix.h"

namespace weir::signal {

enum class WhitenMode {
  global,  ///< Every channel from all.
  local    ///< Every channel from those around it.
};
enum class WhitenMethod {
  zca,  ///< The whitened channel nearest to each channel.
  pca   ///< Principal components, the strongest first.
};

/// Makes channels uncorrelated, each with the variance 1.
struct Whiten {
  WhitenMode mode = WhitenMode::global;
  WhitenMethod method = WhitenMethod::zca;
  std::optional<double> radius_um;      ///< For mode local; default 100.
  std::optional<std::int64_t> nearest;  ///< For mode local, instead of the radius.
  double eps = 1e-6;                    ///< Added to eigenvalues, in parts of their mean.
  std::optional<double> int_scale;      ///< Counts that one standard deviation becomes.
};

/// Which channels are whitened, and each of them from which: indices into `channels`, ascending.
struct WhitenPlan {
  std::vector<std::int64_t> channels;           ///< The electrical ones (or all), ascending.
  std::vector<std::vector<std::int64_t>> sets;  ///< Per whitened channel, itself included.
  std::vector<double> gains;                    ///< Of `channels`, in `unit`.
  std::string unit;
};

/// Errors: `invalid_spec` naming the field: fields of local in global, a position that is missing,
/// a
///         unit that is none of the others' kind, a gain of 0.
WhitenPlan plan_whiten(const Whiten& params, const StreamInfo& in);

/// The second moments of channels about their means, and how often they were seen.
struct Covariance {
  std::int64_t frames = 0;     ///< With a finite value in every channel.
  std::vector<double> values;  ///< Shape: [channels, channels], in squares of the unit.
};

/// W as rows of weights, one per whitened channel, 0 outside its set. A channel that never changes
/// has no variance to make 1: it takes no part and its row is 0.
/// Source: local means by Lambda + eps * mean(Lambda); zca U (.)^-1/2 U', pca (.)^-1/2 U', of cov =
/// U Lambda U'; Kessy, Lewin and Strimmer, The American Statistician 72 (2018) 309.
std::vector<double> whitening_matrix(const Whiten& params, const WhitenPlan& plan,
                                     const Covariance& covariance);

const op::Operator& whiten_operator();

}  // namespace weir::signal
