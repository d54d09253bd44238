#pragma once

namespace weir::compute {

/// Sets flush-to-zero and denormals-are-zero for the life of the object, on this thread.
class FlushToZero {
 public:
  FlushToZero() noexcept;
  ~FlushToZero();
  FlushToZero(const FlushToZero&) = delete;
  FlushToZero& operator=(const FlushToZero&) = delete;

 private:
  unsigned saved_;
};

}  // namespace weir::compute
