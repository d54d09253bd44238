#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "weir/core/temporary_file.h"
#include "weir/signal/ops/crossings/crossings_internal.h"
#include "weir/signal/ops/crossings/order_statistic_internal.h"

namespace weir::signal {
namespace {
constexpr std::int64_t kStretches = 20;
constexpr std::int64_t kTileSamples = 1 << 20;     ///< Samples staged before they go to the file.
constexpr std::int64_t kTileFrames = 64;           ///< At least so many frames stand together.
constexpr std::int64_t kChannelSamples = 4 << 20;  ///< A channel up to this long is read once.
constexpr std::size_t kMedianBytes = 640 << 10;    ///< What exact_median says it needs.
constexpr double kNormalMad = 0.6744897501960817;  ///< Upper quartile of the standard normal.

struct SpoolShape {
  std::int64_t channels = 0;
  std::int64_t frames = 0;       ///< At most.
  std::int64_t tile_frames = 1;  ///< All of them when they fit the staging tile.

  explicit SpoolShape(const StreamInfo& in)
      : channels(in.channel_count()), frames(scale_fit_frames(in)) {
    const std::int64_t fit = kTileSamples / std::max<std::int64_t>(channels, 1);
    tile_frames = std::max<std::int64_t>(1, std::min(frames, std::max(fit, kTileFrames)));
  }
  std::int64_t tile_samples() const { return tile_frames * channels; }
};

/// The stretches, kept channel by channel: tiles of [channels, tile_frames] in a temporary file,
/// the last one in memory.
class SampleSpool {
 public:
  SampleSpool(const SpoolShape& shape, std::filesystem::path folder)
      : shape_(shape),
        folder_(std::move(folder)),
        tile_(static_cast<std::size_t>(shape.tile_samples())) {}

  void add(Block<const float> in) {
    for (std::int64_t frame = 0; frame < in.frames();) {
      const std::int64_t room = shape_.tile_frames - staged_;
      if (room == 0) {
        flush();
        continue;
      }
      const std::int64_t count = std::min(room, in.frames() - frame);
      stage(in.slice(frame, count));
      frame += count;
    }
  }

  /// Calls `receive` with the samples of `channel` in order.
  template <class Receive>
  void visit(std::int64_t channel, std::vector<float>& room, const Receive& receive) const {
    room.resize(static_cast<std::size_t>(shape_.tile_frames));
    for (std::int64_t tile = 0; tile < flushed_; ++tile) {
      const std::int64_t sample = tile * shape_.tile_samples() + channel * shape_.tile_frames;
      file_->read(sample * std::int64_t{sizeof(float)}, std::as_writable_bytes(std::span(room)));
      receive(std::span<const float>(room));
    }
    receive(std::span<const float>(tile_.data() + channel * shape_.tile_frames,
                                   static_cast<std::size_t>(staged_)));
  }

  std::int64_t frames() const { return flushed_ * shape_.tile_frames + staged_; }

 private:
  void stage(Block<const float> in) {
    constexpr std::int64_t kRows = 16;  // So many cache lines of each side stay near.
    for (std::int64_t first = 0; first < in.frames(); first += kRows) {
      const std::int64_t last = std::min(first + kRows, in.frames());
      for (std::int64_t channel = 0; channel < shape_.channels; ++channel) {
        float* to = tile_.data() + channel * shape_.tile_frames + staged_;
        for (std::int64_t frame = first; frame < last; ++frame) {
          to[frame] = in.row(frame)[channel];
        }
      }
    }
    staged_ += in.frames();
  }

  void flush() {
    if (!file_) {
      file_.emplace(folder_);
    }
    const auto bytes = std::as_bytes(std::span<const float>(tile_));
    file_->write(flushed_ * static_cast<std::int64_t>(bytes.size()), bytes);
    ++flushed_;
    staged_ = 0;
  }

  SpoolShape shape_;
  std::filesystem::path folder_;
  std::vector<float> tile_;
  std::int64_t staged_ = 0;
  std::int64_t flushed_ = 0;
  std::optional<TemporaryFile> file_;
};

/// Physical values of one channel, NaN left out; kept in memory when short.
class ChannelReplay {
 public:
  ChannelReplay(const SampleSpool& spool, std::int64_t channel, double gain)
      : spool_(spool), channel_(channel), gain_(gain) {
    if (spool.frames() <= kChannelSamples) {
      kept_.reserve(static_cast<std::size_t>(spool.frames()));
      spool.visit(channel, room_, [&](std::span<const float> counts) {
        kept_.insert(kept_.end(), counts.begin(), counts.end());
      });
    }
  }

  /// Each value through `change`, in order.
  template <class Change>
  Replay through(const Change& change) {
    return [this, change](const std::function<void(std::span<const double>)>& receive) {
      const auto convert = [&](std::span<const float> counts) {
        hand_out(counts, change, receive);
      };
      if (spool_.frames() <= kChannelSamples) {
        convert(kept_);
      } else {
        spool_.visit(channel_, room_, convert);
      }
    };
  }

 private:
  template <class Change>
  void hand_out(std::span<const float> counts, const Change& change,
                const std::function<void(std::span<const double>)>& receive) const {
    std::array<double, 2048> values;
    std::size_t used = 0;
    for (const float count : counts) {
      const double value = double{count} * gain_;
      values[used] = change(value);
      used += std::isnan(value) ? 0 : 1;
      if (used == values.size()) {
        receive(values);
        used = 0;
      }
    }
    receive(std::span<const double>(values.data(), used));
  }

  const SampleSpool& spool_;
  std::int64_t channel_;
  double gain_;
  std::vector<float> room_;
  std::vector<float> kept_;
};

class ScaleFitter final : public op::Fitter {
 public:
  ScaleFitter(LevelUnit unit, const StreamInfo& in, std::filesystem::path folder)
      : unit_(unit), channels_(in.channels), spool_(SpoolShape(in), std::move(folder)) {}

  void add(AnyBlock block) override { spool_.add(block.as<float>()); }

  Value finish() override {
    Value scales = Value::array();
    for (std::size_t i = 0; i < channels_.size(); ++i) {
      const double scale = measure(static_cast<std::int64_t>(i), channels_[i].gain);
      scales.push_back(std::isfinite(scale) ? Value(scale) : Value());
    }
    Value values = Value::object();
    values.set("scale", std::move(scales));
    return values;
  }

 private:
  double measure(std::int64_t channel, double gain) {
    ChannelReplay samples(spool_, channel, gain);
    const Replay values = samples.through([](double value) { return value; });
    std::int64_t count = 0;
    values([&](std::span<const double> some) { count += static_cast<std::int64_t>(some.size()); });
    if (count == 0) {
      return std::numeric_limits<double>::quiet_NaN();
    }
    if (unit_ == LevelUnit::sd) {
      return standard_deviation(values, count);
    }
    const double middle = exact_median(values, count);
    if (!std::isfinite(middle)) {
      return middle;
    }
    const Replay distances =
        samples.through([middle](double value) { return std::fabs(value - middle); });
    return exact_median(distances, count) / kNormalMad;
  }

  LevelUnit unit_;
  std::vector<Channel> channels_;
  SampleSpool spool_;
};
}  // namespace

std::int64_t scale_fit_frames(const StreamInfo& in) {
  const std::int64_t total = in.total_frames();
  const std::int64_t stretch = in.rate.ceil_frames(0.5);
  return total / kStretches < stretch ? total : kStretches * stretch;
}

std::size_t scale_fit_temporary_bytes(const StreamInfo& in) {
  const SpoolShape shape(in);
  // The last tile stays in memory.
  const std::int64_t tiles = (shape.frames + shape.tile_frames - 1) / shape.tile_frames;
  return static_cast<std::size_t>(std::max<std::int64_t>(tiles - 1, 0) * shape.tile_samples()) *
         sizeof(float);
}

std::size_t scale_fit_bytes(const StreamInfo& in) {
  const SpoolShape shape(in);
  const std::int64_t channel = shape.frames <= kChannelSamples ? shape.frames : 0;
  return static_cast<std::size_t>(shape.tile_samples() + shape.tile_frames + channel) *
             sizeof(float) +
         kMedianBytes;
}

std::unique_ptr<op::Fitter> make_scale_fitter(LevelUnit unit, const StreamInfo& in,
                                              std::filesystem::path folder) {
  return std::make_unique<ScaleFitter>(unit, in, std::move(folder));
}

}  // namespace weir::signal
