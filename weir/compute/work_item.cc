#include "weir/compute/work_item.h"

#include <cstdint>
#include <vector>

#include "weir/compute/fiber_sanitizer_internal.h"
#include "weir/compute/stack_switch_internal.h"
#include "weir/core/error.h"

namespace weir::compute {
namespace {

constexpr std::size_t kStackBytes = std::size_t{256} << 10;

/// One stack, and the item that last ran on it.
struct Fiber {
  StackPlace place;
  std::unique_ptr<std::byte[]> stack;
  SanitizerFiber sanitizer;
  WorkItem item;
  bool waiting = false;
};

}  // namespace

struct WorkGroup::Fibers {
  explicit Fibers(const WorkItem& at) : shape(at) {}

  void run_group();
  void run_items(Fiber& fiber);
  void resume(Fiber& fiber);
  Fiber& new_fiber();
  static void enter(void* fibers);

  WorkItem shape;
  std::vector<std::unique_ptr<Fiber>> fibers;
  StackPlace scheduler;
  SanitizerFiber scheduler_sanitizer = SanitizerFiber::current();
  void (*call)(void* const*) = nullptr;
  void* const* args = nullptr;
  std::int64_t next = 0;      ///< The first item not begun.
  std::int64_t finished = 0;  ///< Items that have ended.
  std::int64_t waiting = 0;   ///< Items at a barrier.
  Fiber* running = nullptr;
};

namespace {
struct Current {
  const WorkItem* item = nullptr;
  void (*wait)(void*) noexcept = nullptr;
  void* fibers = nullptr;
};
thread_local Current current;
}  // namespace

const WorkItem& this_item() noexcept {
  return *current.item;
}

void wait_for_group() noexcept {
  current.wait(current.fibers);
}

WorkGroup::WorkGroup(const WorkItem& shape) : fibers_(std::make_unique<Fibers>(shape)) {}
WorkGroup::~WorkGroup() = default;

void WorkGroup::run(std::array<std::int64_t, 2> group, void (*call)(void* const*),
                    void* const* args) {
  Fibers& fibers = *fibers_;
  fibers.shape.group = group;
  fibers.call = call;
  fibers.args = args;
  fibers.next = 0;
  const Current outer = current;
  current.fibers = &fibers;
  current.wait = [](void* self) noexcept {
    auto& group_fibers = *static_cast<Fibers*>(self);
    Fiber& fiber = *group_fibers.running;
    fiber.waiting = true;
    ++group_fibers.waiting;
    fiber.sanitizer.leave_for(group_fibers.scheduler_sanitizer);
    fiber.place.leave_for(group_fibers.scheduler);
    fiber.sanitizer.arrived();
  };
  try {
    fibers.run_group();
  } catch (...) {
    current = outer;
    throw;
  }
  current = outer;
}

/// Between two barriers every fiber runs until its item waits; a fiber whose item ends takes the
/// next item, so kernels without barriers need one fiber for the whole group.
void WorkGroup::Fibers::run_group() {
  const std::int64_t items = shape.local_size[0] * shape.local_size[1];
  finished = 0;
  waiting = 0;
  std::size_t begun = 0;
  for (; next < items; ++begun) {
    resume(begun < fibers.size() ? *fibers[begun] : new_fiber());
  }
  while (waiting > 0) {
    if (finished > 0) {
      throw Error(ErrorCode::internal, "work-items of one group disagree about a barrier");
    }
    waiting = 0;
    for (std::size_t i = 0; i < begun; ++i) {
      if (fibers[i]->waiting) {
        fibers[i]->waiting = false;
        resume(*fibers[i]);
      }
    }
  }
}

void WorkGroup::Fibers::run_items(Fiber& fiber) {
  const std::int64_t items = shape.local_size[0] * shape.local_size[1];
  while (next < items) {
    fiber.item = shape;
    fiber.item.local = {next % shape.local_size[0], next / shape.local_size[0]};
    ++next;
    current.item = &fiber.item;
    call(args);
    ++finished;
  }
}

void WorkGroup::Fibers::resume(Fiber& fiber) {
  running = &fiber;
  current.item = &fiber.item;
  scheduler_sanitizer.leave_for(fiber.sanitizer);
  scheduler.leave_for(fiber.place);
  scheduler_sanitizer.arrived();
}

Fiber& WorkGroup::Fibers::new_fiber() {
  auto& fiber = *fibers.emplace_back(std::make_unique<Fiber>());
  fiber.stack = std::make_unique_for_overwrite<std::byte[]>(kStackBytes);
  fiber.sanitizer = SanitizerFiber::on(fiber.stack.get(), kStackBytes);
  fiber.place.begin_on(fiber.stack.get(), kStackBytes, &Fibers::enter, this);
  return fiber;
}

void WorkGroup::Fibers::enter(void* fibers) {
  auto& self = *static_cast<Fibers*>(fibers);
  Fiber& fiber = *self.running;
  fiber.sanitizer.arrived();
  for (;;) {  // A fiber serves group after group until its WorkGroup dies.
    self.run_items(fiber);
    fiber.sanitizer.leave_for(self.scheduler_sanitizer);
    fiber.place.leave_for(self.scheduler);
    fiber.sanitizer.arrived();
  }
}

}  // namespace weir::compute
