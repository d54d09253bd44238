// Times a whole chain on a device from pinned host memory and back (int16 in, mean or median
// reference, order-5 band-pass, int16 out) beside a simultaneous copy of the same bytes both ways
// over the link. The rows that come back are counted and dropped: no disk, no format.
//
//   weir_device_chain_bench TARGET [SCALE] [ROUNDS] [CHUNK_S]     384 channels x 60,000 x SCALE
//   frames
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "weir/catalog/catalog.h"
#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/pipeline/plan/plan_data.h"
#include "weir/pipeline/run/engine.h"
#include "weir/testing/bench_recording.h"
#include "weir/testing/memory_recording.h"
#include "weir/testing/samples.h"

namespace {
using namespace weir;  // NOLINT: a program, not a header

constexpr std::int64_t kChannels = 384;

/// Counts what comes.
class CountingOutput final : public pipeline::Output {
 public:
  void rows(std::size_t, const pipeline::ChannelGroup&, AnyBlock) override {}
  void converted(AnyBlock rows, std::int64_t) override { frames_ += rows.frames(); }
  void events(std::size_t, const EventList&) override {}
  void turn_over() override {}
  void end_segment() override {}
  std::vector<std::byte> save() override { return {}; }
  void keep_partial() noexcept override {}
  void commit(const std::string&) override {}
  void drain() override {}
  pipeline::OutputReport report() const override { return {}; }
  std::int64_t frames() const { return frames_; }

 private:
  std::int64_t frames_ = 0;
};

/// A recording that is only told of: the bench has its samples.
class ToldRecording final : public RecordingSource {
 public:
  explicit ToldRecording(RecordingInfo info) : info_(std::move(info)) {}
  const RecordingInfo& info() const noexcept override { return info_; }
  void read(std::int64_t, std::int64_t, std::span<const std::int64_t>,
            Block<float>) const override {
    WEIR_CHECK(false);
  }
  bool stored_as_int16() const noexcept override { return true; }
  void read_stored(std::int64_t, std::int64_t, std::span<const std::int64_t>,
                   Block<std::int16_t>) const override {
    WEIR_CHECK(false);
  }

 private:
  RecordingInfo info_;
};

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

pipeline::Plan plan_of(const std::string& target, const std::string& statistic, std::int64_t frames,
                       double chunk_s) {
  const std::string text = fmt::format(
      R"({{"weir_pipeline":1,"nodes":[{{"id":"raw","op":"read","path":"memory"}},
         {{"id":"ref","op":"common_reference","statistic":"{}"}},
         {{"id":"band","op":"iir","band":"bandpass","cutoff_hz":[300,6000]}},
         {{"id":"out","op":"write","path":"out.bin","dtype":"int16","gain":1}}],
         "execution":{{"target":"{}","chunk_s":{}}}}})",
      statistic, target, chunk_s);
  const auto spec =
      pipeline::parse_spec(text, pipeline::SpecLanguage::json, "/tmp", {}, catalog::operators());
  pipeline::PlanOptions options;
  options.overwrite = true;
  options.opener = [frames](const auto&, const auto&) {
    return std::make_unique<ToldRecording>(testing::make_recording_info(30'000, kChannels, frames));
  };
  return pipeline::make_plan(spec, {catalog::operators(), catalog::formats()}, options);
}

/// The same bytes up and down at once, in the chunks of the chain.
double seconds_of_copy(compute::Device& device, std::int64_t chunks, std::size_t bytes) {
  const auto up = device.make_queue();
  const auto down = device.make_queue();
  const auto in = device.allocate(bytes);
  const auto out = device.allocate(bytes);
  const auto from = device.allocate_host(bytes);
  const auto to = device.allocate_host(bytes);
  up->upload(in, 0, from.bytes());
  down->download(out, 0, to.bytes());
  const double start = now();
  for (std::int64_t i = 0; i < chunks; ++i) {
    up->start_upload(in, 0, from, 0, bytes);
    down->start_download(out, 0, to, 0, bytes);
  }
  up->finish();
  down->finish();
  return now() - start;
}

double seconds_of_chain(const pipeline::Plan& plan, std::shared_ptr<compute::Device> device,
                        std::int64_t chunks, pipeline::LinkReport* link) {
  const auto& input = plan.data().inputs.front();
  pipeline::Threads threads(plan.data().threads);
  pipeline::EngineParts parts{input, input.place, input.graph,
                              pipeline::channel_groups(kChannels, threads.count()), threads};
  const auto engine = pipeline::make_device_engine(parts, std::move(device));
  std::vector<std::unique_ptr<pipeline::Output>> outputs;
  outputs.push_back(std::make_unique<CountingOutput>());
  engine->attach(outputs);
  const auto& ring = engine->ring();
  const Buffer noise = testing::bench_recording(SampleType::int16, 60'000);
  for (std::size_t i = 0; i < pipeline::ChunkRing::kRooms; ++i) {
    for (std::int64_t f = 0; f < ring.frames(); ++f) {
      std::memcpy(ring.room(i).slice(f, 1).data(), noise.block().slice(f % 60'000, 1).data(),
                  kChannels * sizeof(std::int16_t));
    }
  }
  engine->begin(0);
  const double start = now();
  for (std::int64_t i = 0; i < chunks; ++i) {
    const std::size_t room = static_cast<std::size_t>(i) % pipeline::ChunkRing::kRooms;
    engine->push({0, i * ring.frames(), ring.room(room), ring.memory(room)});
  }
  engine->finish();
  const double taken = now() - start;
  WEIR_CHECK(static_cast<CountingOutput&>(*outputs.front()).frames() == chunks * ring.frames());
  *link = engine->link();
  return taken;
}

void run(const std::string& target, std::int64_t scale, int rounds, double chunk_s) {
  const std::int64_t frames = 60'000 * scale;
  for (const char* statistic : {"mean", "median"}) {
    const auto plan = plan_of(target, statistic, frames, chunk_s);
    const std::int64_t chunk = plan.data().inputs.front().place.chunk_frames;
    const std::int64_t chunks = (frames + chunk - 1) / chunk;
    const auto bytes = static_cast<std::size_t>(chunk * kChannels) * sizeof(std::int16_t);
    const auto device = compute::open_device(target);
    std::vector<double> copy;
    std::vector<double> chain;
    pipeline::LinkReport link;
    for (int round = 0; round <= rounds; ++round) {
      const double a = seconds_of_copy(*device, chunks, bytes);
      const double b = seconds_of_chain(plan, device, chunks, &link);
      if (round > 0) {  // The first warms up.
        copy.push_back(a);
        chain.push_back(b);
      }
    }
    const double gigabytes = 1e-9 * static_cast<double>(bytes) * static_cast<double>(chunks);
    fmt::print(
        "{} reference + band-pass, int16 to int16, {} chunks of {} frames: {:.2f} ms, {:.1f} GB/s "
        "each way; "
        "link both ways {:.2f} ms, {:.1f} GB/s; {:.0f} % of the link; host waited {:.2f} ms\n",
        statistic, chunks, chunk, 1e3 * median(chain), gigabytes / median(chain),
        1e3 * median(copy), gigabytes / median(copy), 100 * median(copy) / median(chain),
        1e3 * link.wait_s);
  }
}
}  // namespace

int main(int count, char** words) {
  try {
    run(count > 1 ? words[1] : "cuda", count > 2 ? parse_integer(words[2]) : 1,
        count > 3 ? static_cast<int>(parse_integer(words[3])) : 7,
        count > 4 ? parse_number(words[4]) : 0);
  } catch (const Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 5;
  }
}
