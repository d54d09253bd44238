#include "weir/pipeline/run/threads.h"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <atomic>

namespace weir::pipeline {

struct Threads::Arena {
  explicit Arena(int size) : arena(size) {}
  tbb::task_arena arena;
  std::atomic<bool> shared{false};
};

Threads::Threads(std::int64_t count)
    : count_(count), arena_(std::make_unique<Arena>(static_cast<int>(count))) {}

Threads::~Threads() = default;

void Threads::run(std::int64_t tasks, const std::function<void(std::int64_t)>& task) {
  if (count_ == 1 || tasks == 1) {
    for (std::int64_t i = 0; i < tasks; ++i) {
      task(i);
    }
    return;
  }
  arena_->arena.execute([&] {
    tbb::parallel_for(
        tbb::blocked_range<std::int64_t>(0, tasks, 1),
        [&](const tbb::blocked_range<std::int64_t>& range) {
          if (tbb::this_task_arena::current_thread_index() != 0) {
            arena_->shared.store(true, std::memory_order_relaxed);
          }
          for (std::int64_t i = range.begin(); i != range.end(); ++i) {
            task(i);
          }
        },
        tbb::simple_partitioner());
  });
}

void Threads::inside(const std::function<void()>& work) {
  arena_->arena.execute(work);
}

bool Threads::shared_work() const noexcept {
  return arena_->shared.load();
}

}  // namespace weir::pipeline
