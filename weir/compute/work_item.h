#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace weir::compute {

/// The memory one work-group shares, as a kernel argument of the host build.
struct LocalBytes {
  std::byte* data = nullptr;
};

/// Where a work-item of the host build stands in its launch.
struct WorkItem {
  std::array<std::int64_t, 2> local{};
  std::array<std::int64_t, 2> local_size{1, 1};
  std::array<std::int64_t, 2> group{};
  std::array<std::int64_t, 2> group_count{1, 1};

  std::int64_t global(int axis) const noexcept {
    return group[axis] * local_size[axis] + local[axis];
  }
  std::int64_t global_size(int axis) const noexcept { return group_count[axis] * local_size[axis]; }
};

/// The item running on this thread. Kernels only.
const WorkItem& this_item() noexcept;
/// The barrier: returns when every item of the group has come here. Kernels only.
void wait_for_group() noexcept;

/// What stood there before. The items of the host build run one after the other, so a plain
/// addition is an atomic one.
inline std::int32_t add_in_turn(std::int32_t* to, std::int32_t value) noexcept {
  const std::int32_t before = *to;
  *to += value;
  return before;
}

/// Runs work-groups of host kernels on the calling thread, each item on a stack of its own from the
/// moment it meets a barrier.
class WorkGroup {
 public:
  explicit WorkGroup(const WorkItem& shape);
  ~WorkGroup();
  WorkGroup(const WorkGroup&) = delete;
  WorkGroup& operator=(const WorkGroup&) = delete;

  /// Every item of the group at `group`, in order between barriers.
  /// Errors: `internal` when some items end while others wait at a barrier.
  void run(std::array<std::int64_t, 2> group, void (*call)(void* const*), void* const* args);

 private:
  struct Fibers;
  std::unique_ptr<Fibers> fibers_;
};

}  // namespace weir::compute
