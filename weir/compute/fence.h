#pragma once

#include <memory>

namespace weir::compute {

/// A point in a queue's work, shared by its copies. One made by default is reached.
/// Threads: all members may be called from several threads.
class Fence {
 public:
  /// What a back end knows about it.
  struct Mark {
    virtual ~Mark() = default;
    virtual bool reached() const = 0;
    virtual void wait() const = 0;
  };
  Fence() = default;
  explicit Fence(std::shared_ptr<const Mark> mark) : mark_(std::move(mark)) {}

  /// Errors: `device` when the work before it failed.
  bool reached() const { return mark_ == nullptr || mark_->reached(); }
  void wait() const {
    if (mark_ != nullptr) {
      mark_->wait();
    }
  }
  const Mark* mark() const noexcept { return mark_.get(); }

 private:
  std::shared_ptr<const Mark> mark_;
};

}  // namespace weir::compute
