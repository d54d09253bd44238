#include "weir/pipeline/run/threads.h"

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <thread>

#include "weir/core/parallel_loop.h"

namespace weir::pipeline {

struct Threads::Arena {
  explicit Arena(int size)
      : limit(tbb::global_control::max_allowed_parallelism,
              std::max<std::size_t>(static_cast<std::size_t>(size),
                                    std::thread::hardware_concurrency())),
        arena(size) {}
  tbb::global_control
      limit;  // More threads than cores when asked for: oneTBB would quietly give fewer.
  tbb::task_arena arena;
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
  arena_->arena.execute([&] { parallel_loop(tasks, task); });
}

void Threads::inside(const std::function<void()>& work) {
  arena_->arena.execute(work);
}

}  // namespace weir::pipeline
