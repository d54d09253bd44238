#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace weir::compute {

/// Memory of the host that a device copies at the link's speed, shared by its copies: pinned for a
/// CUDA device, whole pages elsewhere. Made by `Device::allocate_host`; outlives its device safely.
class HostMemory {
 public:
  HostMemory() = default;
  /// Ordinary whole pages. Errors: `out_of_memory`.
  explicit HostMemory(std::size_t bytes);
  /// Memory that a back end owns: `start` frees it with its last copy.
  HostMemory(std::shared_ptr<std::byte> start, std::size_t bytes)
      : start_(std::move(start)), bytes_(bytes) {}

  std::span<std::byte> bytes() const noexcept { return {start_.get(), bytes_}; }
  template <class T>
  std::span<T> as() const noexcept {
    return {reinterpret_cast<T*>(start_.get()), bytes_ / sizeof(T)};
  }

 private:
  std::shared_ptr<std::byte> start_;
  std::size_t bytes_ = 0;
};

}  // namespace weir::compute
