#include "weir/pipeline/run/threads.h"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <thread>

#if defined(__SANITIZE_THREAD__)
extern "C" void __tsan_acquire(void* address);
extern "C" void __tsan_release(void* address);
#endif

namespace weir::pipeline {
namespace {
// The thread sanitizer cannot see into oneTBB, so it is told what a parallel loop orders: all
// before it comes before each task, and each task before all after it.
#if defined(__SANITIZE_THREAD__)
void happens_before(void* mark) {
  __tsan_release(mark);
}
void happens_after(void* mark) {
  __tsan_acquire(mark);
}
#else
void happens_before(void*) {}
void happens_after(void*) {}
#endif
}  // namespace

struct Threads::Arena {
  explicit Arena(int size)
      : limit(tbb::global_control::max_allowed_parallelism,
              std::max<std::size_t>(static_cast<std::size_t>(size),
                                    std::thread::hardware_concurrency())),
        arena(size) {}
  tbb::global_control
      limit;  // More threads than cores when asked for: oneTBB would quietly give fewer.
  tbb::task_arena arena;
  char begun = 0;
  char ended = 0;
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
  happens_before(&arena_->begun);
  arena_->arena.execute([&] {
    tbb::parallel_for(
        tbb::blocked_range<std::int64_t>(0, tasks, 1),
        [&](const tbb::blocked_range<std::int64_t>& range) {
          happens_after(&arena_->begun);
          for (std::int64_t i = range.begin(); i != range.end(); ++i) {
            task(i);
          }
          happens_before(&arena_->ended);
        },
        tbb::simple_partitioner());
  });
  happens_after(&arena_->ended);
}

void Threads::inside(const std::function<void()>& work) {
  arena_->arena.execute(work);
}

}  // namespace weir::pipeline
