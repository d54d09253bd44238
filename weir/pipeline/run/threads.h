#pragma once

#include <cstdint>
#include <functional>
#include <memory>

namespace weir::pipeline {

/// The threads of one run: a oneTBB arena of a fixed size, or this thread alone.
class Threads {
 public:
  explicit Threads(std::int64_t count);
  ~Threads();
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

  std::int64_t count() const noexcept { return count_; }
  /// `task(i)` for every i below `tasks`, in any order, some at once. The first exception is passed
  /// on.
  void run(std::int64_t tasks, const std::function<void(std::int64_t)>& task);
  /// `work()` with parallel loops inside it kept to this arena's size.
  void inside(const std::function<void()>& work);

 private:
  struct Arena;
  std::int64_t count_;
  std::unique_ptr<Arena> arena_;
};

}  // namespace weir::pipeline
