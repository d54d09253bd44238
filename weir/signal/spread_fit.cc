#include "weir/signal/spread_fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "weir/signal/order_statistic.h"
#include "weir/signal/sample_spool.h"

namespace weir::signal {
namespace {
constexpr std::int64_t kStretches = 20;
constexpr std::int64_t kChannelSamples = 1 << 20;  ///< A longer channel stays in its spool.
constexpr std::size_t kStreamedBytes = 640 << 10;  ///< What exact_median of a replay needs.
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kNormalMad = 0.6744897501960817;  ///< Upper quartile of the standard normal.

SpoolShape shape_of(const StreamInfo& in, std::size_t memory_bytes) {
  return {in.channel_count(), sample_fit_frames(in), memory_bytes};
}

struct Measured {
  double middle = kNan;
  double scale = kNan;
};

/// Each physical value of a channel through `change`, NaN left out, in order.
template <class Change>
Replay replay_of(const SampleSpool& spool, std::int64_t channel, double gain,
                 const Change& change) {
  return
      [&spool, channel, gain, change](const std::function<void(std::span<const double>)>& receive) {
        spool.visit(channel, [&](std::span<const float> counts) {
          std::array<double, 2048> values;
          std::size_t used = 0;
          for (const float count : counts) {
            const double value = double{count} * gain;
            values[used] = change(value);
            used += std::isnan(value) ? 0 : 1;
            if (used == values.size()) {
              receive(values);
              used = 0;
            }
          }
          receive(std::span<const double>(values.data(), used));
        });
      };
}

double same(double value) {
  return value;
}

std::int64_t count_of(const Replay& values) {
  std::int64_t count = 0;
  values([&](std::span<const double> some) { count += std::ssize(some); });
  return count;
}

Measured streamed_mad(const SampleSpool& spool, std::int64_t channel, double gain) {
  const Replay values = replay_of(spool, channel, gain, same);
  const std::int64_t count = count_of(values);
  if (count == 0) {
    return {};
  }
  const double middle = exact_median(values, count);
  if (!std::isfinite(middle)) {
    return {middle, middle};
  }
  const auto distance = [middle](double value) { return std::fabs(value - middle); };
  return {middle, exact_median(replay_of(spool, channel, gain, distance), count) / kNormalMad};
}

Measured mad_in_memory(const SampleSpool& spool, std::int64_t channel, double gain) {
  std::vector<float> counts(static_cast<std::size_t>(spool.frames()));
  std::size_t count = 0;
  spool.visit(channel, [&](std::span<const float> more) {
    for (const float one : more) {
      counts[count] = one;
      count += std::isnan(double{one} * gain) ? 0 : 1;
    }
  });
  if (count == 0) {
    return {};
  }
  const std::span<const float> numbers = std::span(counts).first(count);
  MedianRoom room;
  const double middle = exact_median(numbers, gain, room);
  return {middle, std::isfinite(middle)
                      ? exact_median_distance(numbers, gain, middle, room) / kNormalMad
                      : middle};
}

Measured sd_of(const SampleSpool& spool, std::int64_t channel, double gain) {
  const Replay values = replay_of(spool, channel, gain, same);
  const std::int64_t count = count_of(values);
  if (count == 0) {
    return {};
  }
  const MeanAndDeviation found = mean_and_deviation(values, count);
  return {found.mean, found.deviation};
}

Value array_of(const std::vector<Measured>& measured, double Measured::* part) {
  Value values = Value::array();
  for (const Measured& one : measured) {
    values.push_back(std::isfinite(one.*part) ? Value(one.*part) : Value());
  }
  return values;
}

/// Measures channels one by one, each a task.
class SpreadFitter final : public op::Fitter {
 public:
  SpreadFitter(Spread spread, const StreamInfo& in, const FitPlace& place, SpreadNames names)
      : spread_(spread),
        names_(std::move(names)),
        channels_(in.channels),
        spool_(shape_of(in, place.memory_bytes), place.folder),
        measured_(in.channels.size()) {}

  void add(AnyBlock block) override { spool_.add(block.as<float>()); }

  std::int64_t tasks() const noexcept override { return std::ssize(measured_); }
  void run_task(std::int64_t task) override {
    const auto channel = static_cast<std::size_t>(task);
    measured_[channel] = measure(task, channels_[channel].gain);
  }

  Value finish() override {
    Value values = Value::object();
    if (!names_.middle.empty()) {
      values.set(names_.middle, array_of(measured_, &Measured::middle));
    }
    values.set(names_.scale, array_of(measured_, &Measured::scale));
    return values;
  }

 private:
  Measured measure(std::int64_t channel, double gain) const {
    if (spread_ == Spread::sd) {
      return sd_of(spool_, channel, gain);
    }
    return spool_.frames() <= kChannelSamples ? mad_in_memory(spool_, channel, gain)
                                              : streamed_mad(spool_, channel, gain);
  }

  Spread spread_;
  SpreadNames names_;
  std::vector<Channel> channels_;
  SampleSpool spool_;
  std::vector<Measured> measured_;
};
}  // namespace

std::int64_t sample_fit_frames(const StreamInfo& in) {
  const std::int64_t total = in.total_frames();
  const std::int64_t stretch = in.rate.ceil_frames(0.5);
  return total / kStretches < stretch ? total : kStretches * stretch;
}

std::size_t sample_fit_temporary_bytes(const StreamInfo& in, std::size_t memory_bytes) {
  return shape_of(in, memory_bytes).temporary_bytes();
}

std::size_t sample_fit_bytes(const StreamInfo& in, std::size_t memory_bytes) {
  return shape_of(in, memory_bytes).memory_bytes();
}

std::size_t sample_fit_task_bytes(const StreamInfo& in) {
  const std::int64_t frames = sample_fit_frames(in);
  const std::size_t piece = static_cast<std::size_t>(shape_of(in, 0).tile_frames) * sizeof(float);
  return frames <= kChannelSamples ? piece + static_cast<std::size_t>(frames) * sizeof(float) +
                                         MedianRoom::bytes_for(frames)
                                   : piece + kStreamedBytes;
}

std::unique_ptr<op::Fitter> make_spread_fitter(Spread spread, const StreamInfo& in,
                                               const FitPlace& place, SpreadNames names) {
  return std::make_unique<SpreadFitter>(spread, in, place, std::move(names));
}

}  // namespace weir::signal
