#include <cmath>

#include "weir/signal/ops/detrend/detrend_internal.h"

namespace weir::signal {
namespace {
/// Sums over the finite samples of one channel of a segment; u is the frame from the middle.
struct TrendSums {
  double count = 0;
  double u = 0;
  double uu = 0;
  double x = 0;
  double ux = 0;
};

struct Line {
  double level = 0;  ///< At u = 0.
  double slope = 0;
};

/// The normal equations of least squares.
Line line_of(DetrendType type, const TrendSums& sums) {
  const double u = sums.u / sums.count;
  const double x = sums.x / sums.count;
  const double spread = sums.uu - sums.count * u * u;
  if (type == DetrendType::constant || !(spread > 0)) {
    return {x, 0};
  }
  const double slope = (sums.ux - sums.count * u * x) / spread;
  return {x - slope * u, slope};
}

class TrendFitter final : public op::Fitter {
 public:
  TrendFitter(DetrendType type, const StreamInfo& in) : type_(type), in_(in) { next_segment(); }

  void add(AnyBlock block) override {
    const Block<const float> rows = block.as<float>();
    for (std::int64_t frame = 0; frame < rows.frames(); ++frame) {
      while (frame_ == in_.segments[segment_].frames) {
        close_segment();
      }
      const double u = static_cast<double>(frame_++) - middle_;
      const float* row = rows.row(frame);
      for (std::size_t c = 0; c < sums_.size(); ++c) {
        if (std::isfinite(row[c])) {
          const double x = row[c];
          sums_[c].count += 1;
          sums_[c].u += u;
          sums_[c].uu += u * u;
          sums_[c].x += x;
          sums_[c].ux += u * x;
        }
      }
    }
  }

  Value finish() override {
    while (segment_ < in_.segments.size()) {
      close_segment();
    }
    Value values = Value::object();
    values.set("level", std::move(levels_));
    values.set("slope", std::move(slopes_));
    return values;
  }

 private:
  void next_segment() {
    frame_ = 0;
    sums_.assign(in_.channels.size(), {});
    if (segment_ < in_.segments.size()) {
      middle_ = static_cast<double>(in_.segments[segment_].frames - 1) / 2;
    }
  }
  void close_segment() {
    Value level = Value::array();
    Value slope = Value::array();
    for (std::size_t c = 0; c < sums_.size(); ++c) {
      const double gain = in_.channels[c].gain;
      if (sums_[c].count == 0) {
        level.push_back(nullptr);
        slope.push_back(nullptr);
        continue;
      }
      const Line line = line_of(type_, sums_[c]);
      level.push_back(line.level * gain);
      slope.push_back(line.slope * gain);
    }
    levels_.push_back(std::move(level));
    slopes_.push_back(std::move(slope));
    ++segment_;
    next_segment();
  }

  DetrendType type_;
  StreamInfo in_;
  std::size_t segment_ = 0;
  std::int64_t frame_ = 0;  ///< Next, in its segment.
  double middle_ = 0;
  std::vector<TrendSums> sums_;
  Value levels_ = Value::array();
  Value slopes_ = Value::array();
};
}  // namespace

std::unique_ptr<op::Fitter> make_trend_fitter(DetrendType type, const StreamInfo& in) {
  return std::make_unique<TrendFitter>(type, in);
}

std::size_t trend_fit_bytes(const StreamInfo& in) noexcept {
  return in.channels.size() *
         (sizeof(TrendSums) + sizeof(Channel) + 2 * in.segments.size() * sizeof(Value));
}

}  // namespace weir::signal
