#include "weir/pipeline/run/chunk_reader.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <numeric>
#include <thread>
#include <vector>

#include "weir/compute/convert.h"
#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/pipeline/run/stopwatch.h"

namespace weir::pipeline {
namespace {
constexpr std::size_t kRing = ChunkRing::kRooms;
}

struct ChunkReader::Shared {
  Shared(const Input& from, std::string reader_node, const ChunkRing& rooms)
      : input(from),
        node(std::move(reader_node)),
        ring(rooms),
        frames(rooms.frames()),
        channels(from.source->info().channels.size()) {
    std::iota(channels.begin(), channels.end(), std::int64_t{0});
  }

  const Input& input;
  const std::string node;
  const ChunkRing& ring;
  const std::int64_t frames;
  std::vector<std::int64_t> channels;
  std::array<Chunk, kRing> chunks;
  std::mutex mutex;
  std::condition_variable changed;
  std::size_t read = 0;   ///< Chunks ever read.
  std::size_t taken = 0;  ///< Chunks ever handed out.
  bool in_use = false;    ///< The last one handed out is still looked at.
  bool ended = false;
  bool stop = false;
  std::exception_ptr failure;
  std::int64_t filled = 0;
  double waited = 0;
  std::thread thread;

  void work(std::int64_t segment, std::int64_t first) {
    const std::int64_t length =
        input.source->info().segments[static_cast<std::size_t>(segment)].frames;
    try {
      for (; first < length && wait_for_room(); first += frames) {
        read_one(segment, first, std::min(frames, length - first));
      }
    } catch (...) {
      const std::lock_guard lock(mutex);
      failure = std::current_exception();
    }
    const std::lock_guard lock(mutex);
    ended = true;
    changed.notify_all();
  }

  bool wait_for_room() {
    std::unique_lock lock(mutex);
    changed.wait(lock, [this] { return stop || read - taken + (in_use ? 1 : 0) < kRing; });
    return !stop;
  }

  void read_one(std::int64_t segment, std::int64_t first, std::int64_t count) {
    const AnyBlock block = ring.room(read % kRing).slice(0, count);
    if (block.type() == SampleType::int16) {
      input.source->read_stored(segment, first, channels, block.as<std::int16_t>());
    } else {
      input.source->read(segment, first, channels, block.as<float>());
      treat_non_finite(segment, first, block.as<float>());
    }
    const std::lock_guard lock(mutex);
    chunks[read % kRing] = {segment, first, block, ring.memory(read % kRing)};
    ++read;
    changed.notify_all();
  }

  void treat_non_finite(std::int64_t segment, std::int64_t first, Block<float> block) {
    if (input.non_finite == NonFinite::pass) {
      return;
    }
    const auto found = compute::find_non_finite(block);
    if (found.count == 0) {
      return;
    }
    const RecordingInfo& info = input.source->info();
    if (input.non_finite == NonFinite::error) {
      throw Error(
          ErrorCode::corrupt_data,
          fmt::format(
              "node {}: {} samples of frames {} to {} are NaN or infinite, the first "
              "in segment {} at "
              "frame {} of channel {}; non_finite = \"fill\" or \"pass\" accepts them",
              node, found.count, first, first + block.frames() - 1, segment,
              first + found.first_frame,
              printable(info.channels[static_cast<std::size_t>(found.first_channel)].name)));
    }
    fill(info, block);
    const std::lock_guard lock(mutex);
    filled += found.count;
  }

  static void fill(const RecordingInfo& info, Block<float> block) {
    for (std::int64_t c = 0; c < block.channels(); ++c) {
      const Channel& channel = info.channels[static_cast<std::size_t>(c)];
      const auto zero = static_cast<float>(-channel.offset / channel.gain);
      for (std::int64_t f = 0; f < block.frames(); ++f) {
        if (!std::isfinite(block(f, c))) {
          block(f, c) = zero;
        }
      }
    }
  }
};

ChunkReader::ChunkReader(const Input& input, const std::string& node, const ChunkRing& ring,
                         std::int64_t segment, std::int64_t first_frame)
    : shared_(std::make_unique<Shared>(input, node, ring)) {
  shared_->thread = std::thread(
      [shared = shared_.get(), segment, first_frame] { shared->work(segment, first_frame); });
}

ChunkReader::~ChunkReader() {
  {
    const std::lock_guard lock(shared_->mutex);
    shared_->stop = true;
  }
  shared_->changed.notify_all();
  shared_->thread.join();
}

std::optional<Chunk> ChunkReader::next() {
  std::unique_lock lock(shared_->mutex);
  shared_->in_use = false;
  shared_->changed.notify_all();
  {
    const Stopwatch watch(shared_->waited);
    shared_->changed.wait(lock,
                          [this] { return shared_->ended || shared_->read > shared_->taken; });
  }
  if (shared_->read == shared_->taken) {
    if (shared_->failure) {
      std::rethrow_exception(shared_->failure);
    }
    return std::nullopt;
  }
  shared_->in_use = true;
  return shared_->chunks[shared_->taken++ % kRing];
}

std::int64_t ChunkReader::filled() const noexcept {
  return shared_->filled;
}

double ChunkReader::waited_s() const noexcept {
  return shared_->waited;
}

}  // namespace weir::pipeline
