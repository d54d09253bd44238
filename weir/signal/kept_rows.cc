#include "weir/signal/kept_rows.h"

#include <algorithm>
#include <vector>

#include "weir/signal/kept_rows_cl.h"

namespace weir::signal {

KeptRows::KeptRows(const op::DevicePlace& place, std::int64_t rows, std::int64_t channels)
    : queue_(&place.queue),
      keep_(place.device.kernel(kernels::kKeptRows, "kept_rows")),
      rows_(rows),
      channels_(channels),
      buffer_(place.device.allocate(bytes_for(rows, channels))) {
  queue_->clear(buffer_);
}

op::DeviceBlock KeptRows::instead_of_block() const {
  op::DeviceBlock none;
  none.buffer = buffer_;
  return none;
}

void KeptRows::keep(const op::DeviceBlock& in, std::int64_t fed) {
  if (in.frames > 0) {
    queue_->launch(keep_, compute::over_rows(channels_, std::min(in.frames, rows_)),
                   {in.buffer, in.first, in.stride, buffer_, static_cast<std::int32_t>(channels_),
                    rows_, fed, in.frames});
  }
}

void KeptRows::hand_over(Block<float> to) const {
  const auto rows = queue_->download<float>(buffer_);
  for (std::int64_t row = 0; row < rows_; ++row) {
    std::copy_n(rows.data() + row * channels_, channels_, to.row(row));
  }
}

void KeptRows::take_over(Block<const float> from) {
  std::vector<float> rows;
  rows.reserve(static_cast<std::size_t>(rows_ * channels_));
  for (std::int64_t row = 0; row < rows_; ++row) {
    rows.insert(rows.end(), from.row(row), from.row(row) + channels_);
  }
  queue_->upload(buffer_, rows);
}

}  // namespace weir::signal
