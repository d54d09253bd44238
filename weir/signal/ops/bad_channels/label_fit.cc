#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "weir/core/error.h"
#include "weir/op/schema.h"
#include "weir/signal/channel_list.h"
#include "weir/signal/ops/bad_channels/bad_channels_internal.h"

namespace weir::signal {
namespace {
Value values_of(const std::vector<ChannelLabel>& labels) {
  Value list = Value::array();
  for (const ChannelLabel label : labels) {
    list.push_back(op::Codec<ChannelLabel>::write(label));
  }
  Value values = Value::object();
  values.set("labels", std::move(list));
  return values;
}

/// Labels chunk after chunk; each channel is what most chunks say it is.
class ChunkFitter final : public op::Fitter {
 public:
  ChunkFitter(const BadChannels& params, const BadChannelPlan& plan, std::int64_t channels)
      : params_(params),
        plan_(plan),
        votes_(static_cast<std::size_t>(channels)),
        rows_(static_cast<std::size_t>(channels * plan.chunk_frames)) {}

  void add(AnyBlock block) override {
    const Block<const float> counts = block.as<float>();
    for (std::int64_t f = 0; f < counts.frames(); ++f) {
      for (std::size_t c = 0; c < votes_.size(); ++c) {
        rows_[c * static_cast<std::size_t>(plan_.chunk_frames) +
              static_cast<std::size_t>(filled_)] = counts.row(f)[c];
      }
      if (++filled_ == plan_.chunk_frames) {
        judge();
      }
    }
  }
  Value finish() override {
    // What is left over counts if it is most of a chunk, or all there is.
    if (filled_ >= plan_.rules.window && (2 * filled_ >= plan_.chunk_frames || chunks_ == 0)) {
      judge();
    }
    std::vector<ChannelLabel> labels;
    for (const auto& votes : votes_) {
      const auto most = std::max_element(votes.begin(), votes.end()) - votes.begin();
      labels.push_back(static_cast<ChannelLabel>(most));
    }
    return values_of(labels);
  }

 private:
  void judge() {
    const auto frames = static_cast<std::size_t>(filled_);
    for (const auto& group : plan_.groups) {
      std::vector<double> chunk;
      chunk.reserve(group.size() * frames);
      for (const std::int64_t c : group) {
        const double gain = plan_.gains[static_cast<std::size_t>(c)];
        const float* row = rows_.data() + c * plan_.chunk_frames;
        std::transform(row, row + filled_, std::back_inserter(chunk), [gain](float count) {
          const double value = double{count} * gain;
          return std::isfinite(value) ? value : 0;
        });
      }
      const auto scores = score_chunk(chunk, std::ssize(group), plan_.rules);
      const auto labels = label_chunk(scores, params_);
      for (std::size_t i = 0; i < group.size(); ++i) {
        ++votes_[static_cast<std::size_t>(group[i])][static_cast<std::size_t>(labels[i])];
      }
    }
    filled_ = 0;
    ++chunks_;
  }

  BadChannels params_;
  BadChannelPlan plan_;
  std::vector<std::array<std::int64_t, 4>> votes_;  ///< Per channel, by label.
  std::vector<float> rows_;                         ///< Shape: [channels, chunk_frames].
  std::int64_t filled_ = 0;
  std::int64_t chunks_ = 0;
};

/// Labels by the spreads that another fitter measures.
class SpreadLabels final : public op::Fitter {
 public:
  SpreadLabels(const BadChannels& params, const BadChannelPlan& plan, const StreamInfo& in,
               const FitPlace& place)
      : params_(params),
        plan_(plan),
        labels_(in.channels.size(), ChannelLabel::good),
        spreads_(make_spread_fitter(
            params.method == BadChannelMethod::mad ? Spread::mad : Spread::sd, in, place)) {}

  void add(AnyBlock block) override { spreads_->add(block); }
  std::int64_t tasks() const noexcept override { return spreads_->tasks(); }
  void run_task(std::int64_t task) override { spreads_->run_task(task); }
  Value finish() override {
    const Value found = spreads_->finish();
    const auto& scale = found.at("scale").as_array();
    for (const auto& group : plan_.groups) {
      std::vector<double> spreads;
      for (const std::int64_t c : group) {
        const Value& one = scale[static_cast<std::size_t>(c)];
        spreads.push_back(one.is_null() ? std::numeric_limits<double>::quiet_NaN()
                                        : one.as_number());
      }
      const auto labels = label_spreads(spreads, params_);
      for (std::size_t i = 0; i < group.size(); ++i) {
        labels_[static_cast<std::size_t>(group[i])] = labels[i];
      }
    }
    return values_of(labels_);
  }

 private:
  BadChannels params_;
  BadChannelPlan plan_;
  std::vector<ChannelLabel> labels_;
  std::unique_ptr<op::Fitter> spreads_;
};
}  // namespace

std::unique_ptr<op::Fitter> make_label_fitter(const BadChannels& params, const BadChannelPlan& plan,
                                              const StreamInfo& in, const FitPlace& place) {
  if (params.method == BadChannelMethod::coherence_psd) {
    return std::make_unique<ChunkFitter>(params, plan, in.channel_count());
  }
  return std::make_unique<SpreadLabels>(params, plan, in, place);
}

std::size_t label_fitter_bytes(const BadChannels& params, const BadChannelPlan& plan,
                               const StreamInfo& in, const FitPlace& place) {
  if (params.method != BadChannelMethod::coherence_psd) {
    return sample_fit_bytes(in, place.memory_bytes);
  }
  const auto channels = static_cast<std::size_t>(in.channel_count());
  const auto samples = channels * static_cast<std::size_t>(plan.chunk_frames);
  const auto window = static_cast<std::size_t>(plan.rules.window);
  // The chunk as counts, and as doubles plain and centred; a window of it, its lines and the waves.
  return samples * (sizeof(float) + 2 * sizeof(double)) +
         window * (3 * channels + 2 * window) * sizeof(double) +
         static_cast<std::size_t>(plan.chunk_frames) * 2 * sizeof(double) + channels * 512;
}

}  // namespace weir::signal
