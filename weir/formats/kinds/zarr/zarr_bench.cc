#include <benchmark/benchmark.h>
#include <blosc.h>
#include <tbb/task_arena.h>
#include <zstd.h>

#include <cmath>
#include <random>
#include <thread>

#include "weir/core/buffer.h"
#include "weir/core/error.h"
#include "weir/core/parallel_loop.h"
#include "weir/formats/input_file.h"
#include "weir/formats/kinds/zarr/zarr.h"
#include "weir/testing/format_conformance.h"

namespace {
using namespace weir;
constexpr std::int64_t kChannels = 384;
constexpr std::int64_t kFrames = 60000;
constexpr std::int64_t kChunkFrames = 3000;  // 0.1 s, what `write` makes unless told.

/// 384 channels of noise with 10 bits, 2 s at 30 kHz: what a probe's file looks like to a codec.
class Store {
 public:
  explicit Store(const std::string& codec) {
    formats::RecordingOutput output;
    output.path = path();
    output.stream.rate = SampleRate::from_hz(30000);
    output.stream.channels = make_channels(kChannels);
    output.stream.segments = {{.frames = kFrames, .start_s = {}}};
    output.stream.type = SampleType::int16;
    output.codec = codec;
    const auto writer = formats::zarr_format().create(output);
    std::mt19937 random(1);
    std::normal_distribution<float> noise(0, 30);
    const Buffer block(SampleType::int16, kChunkFrames, kChannels);
    const auto rows = block.as<std::int16_t>();
    for (std::int64_t first = 0; first < kFrames; first += kChunkFrames) {
      for (std::int64_t f = 0; f < kChunkFrames; ++f) {
        for (std::int64_t c = 0; c < kChannels; ++c) {
          rows(f, c) = static_cast<std::int16_t>(noise(random));
        }
      }
      writer->append(block.block());
    }
    writer->commit("{}");
  }
  std::filesystem::path path() const { return folder_ / "rec.zarr"; }

 private:
  testing::ScratchFolder folder_;
};

/// The stored bytes of each chunk, out of the shards.
std::vector<std::vector<std::byte>> stored_chunks(const std::filesystem::path& array) {
  std::vector<std::vector<std::byte>> chunks;
  for (int shard = 0;; ++shard) {
    const auto path = array / "c" / std::to_string(shard) / "0";
    if (!formats::stands_at(path)) {
      return chunks;
    }
    const formats::InputFile file(path);
    constexpr std::int64_t kInShard = 10;
    std::vector<std::uint64_t> index(2 * kInShard);
    file.read(file.size() - 16 * kInShard - 4, std::as_writable_bytes(std::span(index)));
    for (std::size_t i = 0; i < kInShard && index[2 * i] != ~std::uint64_t{0}; ++i) {
      chunks.emplace_back(index[2 * i + 1]);
      file.read(static_cast<std::int64_t>(index[2 * i]), chunks.back());
    }
  }
}

int threads() {
  return static_cast<int>(std::thread::hardware_concurrency());
}

void finish(benchmark::State& state) {
  state.SetBytesProcessed(state.iterations() * kFrames * kChannels * 2);
}

/// What the reader is measured against: the codec alone, over chunks in memory, on every thread.
void codec_alone(benchmark::State& state, const std::string& codec) {
  const Store store(codec);
  const auto chunks = stored_chunks(store.path() / "traces_seg0");
  const bool blosc = codec.starts_with("blosc");
  WEIR_CHECK(std::ssize(chunks) == kFrames / kChunkFrames);
  tbb::task_arena arena(threads());
  for (auto _ : state) {
    arena.execute([&] {
      parallel_loop(std::ssize(chunks), [&](std::int64_t i) {
        thread_local std::vector<std::byte> samples(kChunkFrames * kChannels * 2);
        const auto& chunk = chunks[static_cast<std::size_t>(i)];
        if (blosc) {
          WEIR_CHECK(blosc_decompress_ctx(chunk.data(), samples.data(), samples.size(), 1) > 0);
        } else {
          WEIR_CHECK(ZSTD_isError(ZSTD_decompress(samples.data(), samples.size(), chunk.data(),
                                                  chunk.size())) == 0);
        }
        benchmark::DoNotOptimize(samples.data());
      });
    });
  }
  finish(state);
}

/// Blocks of a second, as a run reads them.
template <class T>
void reader(benchmark::State& state, const std::string& codec) {
  const Store store(codec);
  const auto source = formats::zarr_format().open(store.path(), {});
  std::vector<std::int64_t> channels(kChannels);
  for (std::int64_t c = 0; c < kChannels; ++c) {
    channels[static_cast<std::size_t>(c)] = c;
  }
  constexpr std::int64_t kBlock = 30000;
  constexpr bool kFloat = std::is_same_v<T, float>;
  const Buffer block(kFloat ? SampleType::float32 : SampleType::int16, kBlock, kChannels);
  tbb::task_arena arena(threads());
  for (auto _ : state) {
    arena.execute([&] {
      for (std::int64_t first = 0; first < kFrames; first += kBlock) {
        if constexpr (kFloat) {
          source->read(0, first, channels, block.as<float>());
        } else {
          source->read_stored(0, first, channels, block.as<std::int16_t>());
        }
      }
    });
    benchmark::DoNotOptimize(block.block());
  }
  finish(state);
}

[[maybe_unused]] const bool kRegistered = [] {
  for (const std::string codec : {"zstd", "blosc-zstd-bitshuffle", "blosc-lz4-shuffle"}) {
    const auto add = [&](const std::string& name, auto body) {
      benchmark::RegisterBenchmark((name + "/" + codec).c_str(), body, codec)
          ->UseRealTime()
          ->MeasureProcessCPUTime()
          ->Unit(benchmark::kMillisecond);
    };
    add("ZarrCodecAlone", &codec_alone);
    add("ZarrReadInt16", &reader<std::int16_t>);
    add("ZarrReadFloat", &reader<float>);
  }
  return true;
}();
}  // namespace
