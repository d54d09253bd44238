#include "weir/signal/moment_fit.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace weir::signal {
namespace {
/// Sums of distances from the first value: what the two sums nearly cancel in is small then.
struct Moments {
  double first = 0;
  double sum = 0;
  double squares = 0;
  std::int64_t count = 0;
};

class MomentFitter final : public op::Fitter {
 public:
  explicit MomentFitter(const StreamInfo& in)
      : channels_(in.channels), moments_(in.channels.size()) {}

  void add(AnyBlock block) override {
    const Block<const float> rows = block.as<float>();
    for (std::int64_t frame = 0; frame < rows.frames(); ++frame) {
      const float* row = rows.row(frame);
      for (std::size_t c = 0; c < moments_.size(); ++c) {
        if (!std::isfinite(row[c])) {
          continue;
        }
        Moments& moments = moments_[c];
        if (moments.count++ == 0) {
          moments.first = row[c];
        }
        const double distance = row[c] - moments.first;
        moments.sum += distance;
        moments.squares += distance * distance;
      }
    }
  }

  Value finish() override {
    Value middle = Value::array();
    Value scale = Value::array();
    for (std::size_t c = 0; c < moments_.size(); ++c) {
      const Moments& moments = moments_[c];
      if (moments.count == 0) {
        middle.push_back(nullptr);
        scale.push_back(nullptr);
        continue;
      }
      const double gain = channels_[c].gain;
      const auto count = static_cast<double>(moments.count);
      const double mean = moments.sum / count;
      const double variance = std::max(0.0, moments.squares / count - mean * mean);
      middle.push_back((moments.first + mean) * gain);
      scale.push_back(std::sqrt(variance) * std::fabs(gain));
    }
    Value values = Value::object();
    values.set("middle", std::move(middle));
    values.set("scale", std::move(scale));
    return values;
  }

 private:
  std::vector<Channel> channels_;
  std::vector<Moments> moments_;
};
}  // namespace

std::unique_ptr<op::Fitter> make_moment_fitter(const StreamInfo& in) {
  return std::make_unique<MomentFitter>(in);
}

std::size_t moment_fit_bytes(std::int64_t channels) noexcept {
  return static_cast<std::size_t>(channels) * (sizeof(Moments) + sizeof(Channel));
}

}  // namespace weir::signal
