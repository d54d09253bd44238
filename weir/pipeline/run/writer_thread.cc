#include "weir/pipeline/run/writer_thread.h"

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "weir/pipeline/run/stopwatch.h"

namespace weir::pipeline {
namespace {
constexpr int kStages = 3;  // One being filled, one being written, one waiting.
}

struct WriterThread::Shared {
  Shared(formats::RecordingWriter& target, SampleType sample_type, std::int64_t channel_count)
      : writer(target), type(sample_type), channels(channel_count) {}

  formats::RecordingWriter& writer;
  const SampleType type;
  const std::int64_t channels;
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<Stage> free;
  std::deque<Stage> waiting;
  bool writing = false;
  bool stop = false;
  std::exception_ptr failure;
  double busy = 0;
  double waited = 0;
  std::thread thread;

  void work() {
    std::unique_lock lock(mutex);
    while (true) {
      changed.wait(lock, [this] { return stop || !waiting.empty(); });
      if (stop) {
        return;
      }
      Stage stage = std::move(waiting.front());
      waiting.pop_front();
      writing = true;
      lock.unlock();
      write(stage);
      lock.lock();
      writing = false;
      stage.rows = 0;
      free.push_back(std::move(stage));
      changed.notify_all();
    }
  }

  void write(Stage& stage) {
    if (failure) {
      return;
    }
    const Stopwatch watch(busy);
    try {
      writer.append(AnyBlock(type, stage.bytes.data(), stage.rows, channels, channels));
    } catch (...) {
      const std::lock_guard lock(mutex);
      failure = std::current_exception();
    }
  }

  void rethrow() const {
    if (failure) {
      std::rethrow_exception(failure);
    }
  }
};

WriterThread::WriterThread(formats::RecordingWriter& writer, SampleType type, std::int64_t channels,
                           std::int64_t capacity)
    : shared_(std::make_unique<Shared>(writer, type, channels)) {
  for (int i = 0; i < kStages; ++i) {
    shared_->free.push_back(
        {AlignedBytes(static_cast<std::size_t>(capacity * channels) * size_of(type)), 0});
  }
  shared_->thread = std::thread([shared = shared_.get()] { shared->work(); });
}

WriterThread::~WriterThread() {
  {
    const std::lock_guard lock(shared_->mutex);
    shared_->stop = true;
  }
  shared_->changed.notify_all();
  shared_->thread.join();
}

Stage WriterThread::take() {
  std::unique_lock lock(shared_->mutex);
  if (shared_->free.empty()) {
    const Stopwatch watch(shared_->waited);
    shared_->changed.wait(lock, [this] { return !shared_->free.empty(); });
  }
  shared_->rethrow();
  Stage stage = std::move(shared_->free.back());
  shared_->free.pop_back();
  return stage;
}

void WriterThread::give(Stage stage) {
  {
    const std::lock_guard lock(shared_->mutex);
    if (stage.rows == 0) {
      shared_->free.push_back(std::move(stage));
      return;
    }
    shared_->waiting.push_back(std::move(stage));
  }
  shared_->changed.notify_all();
}

void WriterThread::drain() {
  std::unique_lock lock(shared_->mutex);
  const Stopwatch watch(shared_->waited);
  shared_->changed.wait(lock, [this] { return shared_->waiting.empty() && !shared_->writing; });
  shared_->rethrow();
}

double WriterThread::busy_s() const noexcept {
  return shared_->busy;
}

double WriterThread::waited_s() const noexcept {
  return shared_->waited;
}

}  // namespace weir::pipeline
