#pragma once

#include <cstdint>
#include <functional>

namespace weir {

/// `task(i)` for every i below `tasks`, in any order, on the threads of the oneTBB arena it is
/// called in. All before the loop comes before every task, and every task before what follows the
/// loop. Where several throw, the exception of the lowest i is passed on, whichever came first.
void parallel_loop(std::int64_t tasks, const std::function<void(std::int64_t)>& task);

}  // namespace weir
