#include "weir/formats/kinds/zarr/zarr_array_codec.h"

#include <cstring>
#include <vector>

#include "weir/core/error.h"

namespace weir::formats {
void undo_transpose(std::span<const std::byte> stored, std::span<const std::int64_t> shape,
                    std::span<const std::size_t> order, std::size_t sample_bytes,
                    std::span<std::byte> samples) {
  WEIR_CHECK(order.size() == shape.size() && stored.size() == samples.size());
  const std::size_t axes = shape.size();
  // How far a step along each of the array's axes leads in the stored bytes.
  std::vector<std::size_t> steps(axes);
  std::size_t step = sample_bytes;
  for (std::size_t i = axes; i-- > 0;) {
    steps[order[i]] = step;
    step *= static_cast<std::size_t>(shape[order[i]]);
  }
  std::vector<std::int64_t> place(axes);
  std::size_t from = 0;
  for (std::size_t to = 0; to < samples.size(); to += sample_bytes) {
    std::memcpy(samples.data() + to, stored.data() + from, sample_bytes);
    for (std::size_t i = axes; i-- > 0;) {
      from += steps[i];
      if (++place[i] < shape[i]) {
        break;
      }
      from -= steps[i] * static_cast<std::size_t>(shape[i]);
      place[i] = 0;
    }
  }
}

}  // namespace weir::formats
