#include "weir/core/parallel_loop.h"

#include <tbb/parallel_for.h>

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

struct Marks {
  char begun = 0;
  char ended = 0;
};

void run_tasks(std::int64_t first, std::int64_t end, const std::function<void(std::int64_t)>& task,
               Marks& marks) {
  happens_after(&marks.begun);
  for (std::int64_t i = first; i != end; ++i) {
    task(i);
  }
  happens_before(&marks.ended);
}
}  // namespace

void parallel_loop(std::int64_t tasks, const std::function<void(std::int64_t)>& task) {
  Marks marks;
  happens_before(&marks.begun);
  tbb::parallel_for(
      tbb::blocked_range<std::int64_t>(0, tasks, 1),
      [&](const tbb::blocked_range<std::int64_t>& range)
          WEIR_NOT_WATCHED { run_tasks(range.begin(), range.end(), task, marks); },
      tbb::simple_partitioner());
  happens_after(&marks.ended);
}

}  // namespace weir
