#include "weir/compute/host_memory.h"

#include <fmt/format.h>

#include <cstdlib>

#include "weir/core/error.h"

namespace weir::compute {

HostMemory::HostMemory(std::size_t bytes) : bytes_(bytes) {
  constexpr std::size_t kPage = 4096;
  const std::size_t pages = bytes / kPage + 1;
  start_.reset(pages > SIZE_MAX / kPage
                   ? nullptr
                   : static_cast<std::byte*>(std::aligned_alloc(kPage, pages * kPage)),
               &std::free);
  if (start_ == nullptr) {
    throw Error(ErrorCode::out_of_memory,
                fmt::format("allocating {} bytes of host memory for a device's copies", bytes));
  }
}

}  // namespace weir::compute
