// Times whole chains on a recording in memory: int16 in, float32 physical values out, nothing read
// or written. Every figure is the median of interleaved rounds, so that ratios hold on a noisy
// machine.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "weir/catalog/catalog.h"
#include "weir/compute/convert.h"
#include "weir/core/text.h"
#include "weir/pipeline/plan/plan_data.h"
#include "weir/pipeline/run/graph_run.h"
#include "weir/testing/memory_recording.h"
#include "weir/testing/samples.h"

namespace {
using namespace weir;  // NOLINT: a program, not a header

constexpr std::int64_t kChannels = 384;
constexpr double kRateHz = 30'000;
constexpr double kGain = 2.34375;

/// Physical float32 values into one big array.
class MemorySink final : public pipeline::Sink {
 public:
  MemorySink(const StreamInfo& stream, std::int64_t frames, std::size_t groups)
      : width_(stream.channel_count()),
        values_(static_cast<std::size_t>(frames * width_) * sizeof(float)),
        at_(groups, 0),
        gain_(static_cast<std::size_t>(padded_channels(width_) + kLanePadding), 1.0F),
        offset_(gain_.size(), 0.0F) {
    for (std::size_t c = 0; c < stream.channels.size(); ++c) {
      gain_[c] = static_cast<float>(stream.channels[c].gain);
    }
  }
  void rows(std::size_t group, const pipeline::ChannelGroup& channels, AnyBlock block) override {
    const Block<float> out(
        reinterpret_cast<float*>(values_.data()) + at_[group] * width_ + channels.first,
        block.frames(), channels.count, width_);
    const auto first = static_cast<std::size_t>(channels.first);
    compute::to_physical(block.as<float>(), std::span<const float>(gain_).subspan(first),
                         std::span<const float>(offset_).subspan(first), out);
    at_[group] += block.frames();
  }
  void events(std::size_t, const EventList&) override {}
  void turn_over() override {}
  void rewind() { std::fill(at_.begin(), at_.end(), 0); }

 private:
  std::int64_t width_;
  AlignedBytes values_;
  std::vector<std::int64_t> at_;
  std::vector<float> gain_;
  std::vector<float> offset_;
};

struct Chain {
  std::string name;
  std::string nodes;  ///< JSON members between "raw" and "out".
  std::string edges;
  bool equal_gains = true;  ///< Else what goes across channels goes on physical values.
};

const std::vector<Chain> kChains{
    {"mean reference + band-pass, float32 state",
     R"("ref":{"op":"common_reference","statistic":"mean"},"band":{"op":"iir","band":"bandpass","cutoff_hz":[300,6000]},)",
     R"(["raw","ref"],["ref","band"],["band","out"])"},
    {"mean reference + band-pass, float64 state",
     R"("ref":{"op":"common_reference","statistic":"mean"},"band":{"op":"iir","band":"bandpass","cutoff_hz":[300,6000],"precision":"float64"},)",
     R"(["raw","ref"],["ref","band"],["band","out"])"},
    {"median reference + band-pass, float32 state",
     R"("ref":{"op":"common_reference"},"band":{"op":"iir","band":"bandpass","cutoff_hz":[300,6000]},)",
     R"(["raw","ref"],["ref","band"],["band","out"])"},
    {"band-pass alone, float32 state",
     R"("band":{"op":"iir","band":"bandpass","cutoff_hz":[300,6000]},)",
     R"(["raw","band"],["band","out"])"},
    {"median reference alone", R"("ref":{"op":"common_reference"},)",
     R"(["raw","ref"],["ref","out"])"},
    {"median reference alone, unequal gains", R"("ref":{"op":"common_reference"},)",
     R"(["raw","ref"],["ref","out"])", false},
    {"FIR, 63 taps", R"("fir":{"op":"fir","band":"lowpass","cutoff_hz":6000,"length":63},)",
     R"(["raw","fir"],["fir","out"])"},
    {"running median of 9", R"("median":{"op":"median","width":9},)",
     R"(["raw","median"],["median","out"])"},
    {"resample 1/3", R"("slow":{"op":"resample","rate_hz":10000},)",
     R"(["raw","slow"],["slow","out"])"},
};

class Bench {
 public:
  explicit Bench(std::int64_t frames)
      : frames_(frames),
        counts_(SampleType::int16, frames, kChannels),
        packed_(static_cast<std::size_t>(frames * kChannels)),
        floats_(packed_.size() * sizeof(float)) {
    const auto noise = testing::noise(frames, kChannels, 40, 1);
    for (std::int64_t f = 0; f < frames; ++f) {
      for (std::int64_t c = 0; c < kChannels; ++c) {
        const auto count = static_cast<std::int16_t>(noise(f, c));
        counts_.as<std::int16_t>()(f, c) = count;
        packed_[static_cast<std::size_t>(f * kChannels + c)] = count;
      }
    }
  }

  void widen() {
    const std::vector<float> gain(kChannels + 2 * kLanePadding, static_cast<float>(kGain));
    const std::vector<float> offset(gain.size(), 0.0F);
    const Block<const std::int16_t> in(packed_.data(), frames_, kChannels, kChannels);
    compute::to_physical(
        in, gain, offset,
        Block<float>(reinterpret_cast<float*>(floats_.data()), frames_, kChannels, kChannels));
  }

  void copy() {
    std::memcpy(floats_.data(), packed_.data(), packed_.size() * sizeof(std::int16_t));
  }

  std::function<void()> chain(const Chain& chain, std::int64_t threads) {
    const std::string text = fmt::format(
        R"({{"weir_pipeline":1,"nodes":{{"raw":{{"op":"read","path":"memory"}},{})"
        R"("out":{{"op":"write","path":"out.bin"}}}},"edges":[{}],"execution":{{"threads":{}}}}})",
        chain.nodes, chain.edges, threads);
    const auto spec =
        pipeline::parse_spec(text, pipeline::SpecLanguage::json, "/tmp", {}, catalog::operators());
    pipeline::PlanOptions options;
    options.overwrite = true;
    const bool equal = chain.equal_gains;
    options.opener = [equal](const auto&, const auto&) { return recording(equal); };
    const auto plan = std::make_shared<pipeline::Plan>(
        pipeline::make_plan(spec, {catalog::operators(), catalog::formats()}, options));
    auto pool = std::make_shared<pipeline::Threads>(threads);
    const auto groups = pipeline::channel_groups(kChannels, threads);
    const auto& graph = plan->data().inputs.front().graph;
    auto sink =
        std::make_shared<MemorySink>(graph.stream(graph.size() - 1), frames_, groups.size());
    return [this, plan, pool, groups, sink] {
      const auto& input = plan->data().inputs.front();
      sink->rewind();
      pipeline::GraphRun run(input.graph, {0, 0}, input.place.tile_frames, groups, *pool);
      run.attach(input.graph.size() - 1, *sink);
      for (std::int64_t f = 0; f < frames_; f += input.place.push_frames) {
        run.push(counts_.block().slice(f, std::min(input.place.push_frames, frames_ - f)));
      }
      run.finish();
    };
  }

 private:
  static std::unique_ptr<RecordingSource> recording(bool equal_gains) {
    RecordingInfo info = testing::make_recording_info(kRateHz, kChannels, 0);
    for (std::size_t c = 0; c < info.channels.size(); ++c) {
      info.channels[c].gain = equal_gains || c % 2 == 0 ? kGain : 1.01 * kGain;
    }
    return std::make_unique<testing::MemoryRecording>(std::move(info),
                                                      std::vector<std::vector<float>>(1));
  }

  std::int64_t frames_;
  Buffer counts_;
  std::vector<std::int16_t> packed_;
  AlignedBytes floats_;
};

double seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}
}  // namespace

int main(int count, char** words) {
  const std::int64_t frames = count > 1 ? parse_integer(words[1]) : 60'000;
  const std::int64_t rounds = count > 2 ? parse_integer(words[2]) : 7;
  const std::string_view wanted = count > 3 ? words[3] : "";  // Part of a chain's name.
  Bench bench(frames);
  std::vector<std::pair<std::string, std::function<void()>>> cases;
  cases.reserve(2 + 2 * kChains.size());
  cases.emplace_back("copy of the int16 samples", [&] { bench.copy(); });
  cases.emplace_back("int16 to float32", [&] { bench.widen(); });
  for (const auto& chain : kChains) {
    if (chain.name.find(wanted) == std::string::npos) {
      continue;
    }
    for (const std::int64_t threads : {1, 2}) {
      cases.emplace_back(
          fmt::format("{}, {} thread{}", chain.name, threads, threads == 1 ? "" : "s"),
          bench.chain(chain, threads));
    }
  }
  std::map<std::string, std::vector<double>> times;
  for (std::int64_t round = 0; round <= rounds; ++round) {
    for (const auto& [name, work] : cases) {
      const double taken = seconds(work);
      if (round > 0) {  // The first round warms up.
        times[name].push_back(taken);
      }
    }
  }
  Value result = Value::object();
  for (const auto& [name, work] : cases) {
    result.set(name, median(times[name]));
  }
  fmt::print("{}\n", to_json(result, 2));
}
