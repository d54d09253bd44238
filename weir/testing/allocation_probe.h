#pragma once

#include <cstddef>
#include <memory>

namespace weir::testing {

/// Watches what this thread allocates while it lives, and fills fresh memory with one byte, so that
/// whoever reads what it never wrote gives another answer under another byte.
///
/// How: with glibc the test binary replaces malloc and its family by functions that pass through to
/// the C library and, on a thread with a live probe, note (address, size) and add a filled margin
/// behind each block; operator new, std::vector, std::aligned_alloc all end there. Under a
/// sanitizer its own allocation hooks serve, without the margin. Blocks from before the probe are
/// not counted. Memory mapped directly (mmap) is not seen.
class AllocationProbe {
 public:
  explicit AllocationProbe(unsigned char fill = 0);
  ~AllocationProbe();
  AllocationProbe(const AllocationProbe&) = delete;
  AllocationProbe& operator=(const AllocationProbe&) = delete;

  std::size_t live() const noexcept;  ///< Bytes asked for and not yet returned.
  std::size_t peak() const noexcept;  ///< The most that was live at once.
  /// From now on `peak` counts from what is live.
  void reset_peak() noexcept;
  std::size_t allocations() const noexcept;

  struct Record;

 private:
  std::unique_ptr<Record> record_;
};

}  // namespace weir::testing
