#include "weir/core/parallel_loop.h"

#include <tbb/parallel_for.h>

#include <atomic>
#include <exception>
#include <limits>
#include <mutex>

// oneTBB is not instrumented: the thread sanitizer must be told what a loop orders. The lambda it
// hands over is read before that can be told, so it is not watched itself.
#if defined(__SANITIZE_THREAD__)
extern "C" void __tsan_acquire(void* address);
extern "C" void __tsan_release(void* address);
#define WEIR_NOT_WATCHED __attribute__((no_sanitize("thread"), noinline))
#else
#define WEIR_NOT_WATCHED
#endif

namespace weir {
namespace {
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

struct Loop {
  char begun = 0;
  char ended = 0;
  /// The first task, in their order, that has thrown, and what.
  std::atomic<std::int64_t> failed_at{std::numeric_limits<std::int64_t>::max()};
  std::exception_ptr failure;
  std::mutex mutex;

  void run(std::int64_t i, const std::function<void(std::int64_t)>& task) {
    if (i > failed_at) {
      return;
    }
    try {
      task(i);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (i < failed_at) {
        failed_at = i;
        failure = std::current_exception();
      }
    }
  }
};

void run_tasks(std::int64_t first, std::int64_t end, const std::function<void(std::int64_t)>& task,
               Loop& loop) {
  happens_after(&loop.begun);
  for (std::int64_t i = first; i != end; ++i) {
    loop.run(i, task);
  }
  happens_before(&loop.ended);
}
}  // namespace

void parallel_loop(std::int64_t tasks, const std::function<void(std::int64_t)>& task) {
  Loop loop;
  happens_before(&loop.begun);
  tbb::parallel_for(
      tbb::blocked_range<std::int64_t>(0, tasks, 1),
      [&](const tbb::blocked_range<std::int64_t>& range)
          WEIR_NOT_WATCHED { run_tasks(range.begin(), range.end(), task, loop); },
      tbb::simple_partitioner());
  happens_after(&loop.ended);
  if (loop.failure) {
    std::rethrow_exception(loop.failure);
  }
}

}  // namespace weir
