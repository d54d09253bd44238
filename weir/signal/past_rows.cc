#include "weir/signal/past_rows.h"

#include <algorithm>

namespace weir::signal {

PastRows::PastRows(std::int64_t rows, std::int64_t channels, std::int64_t first_frame)
    : ring_(SampleType::float32, std::max<std::int64_t>(rows, 1), channels),
      channels_(channels),
      first_(first_frame),
      next_(first_frame) {}

std::size_t PastRows::bytes_for(std::int64_t rows, std::int64_t channels) noexcept {
  return Buffer::bytes_for(SampleType::float32, std::max<std::int64_t>(rows, 1), channels);
}

void PastRows::push(Block<const float> in) noexcept {
  const std::int64_t kept = std::min(in.frames(), ring_.frames());
  for (std::int64_t i = in.frames() - kept; i < in.frames(); ++i) {
    std::copy_n(in.row(i), channels_, row(next_ + i));
  }
  next_ += in.frames();
}

void PastRows::save(op::ByteWriter& to) const {
  to.put(first_);
  to.put(next_);
  for (std::int64_t frame = std::max(first_, next_ - ring_.frames()); frame < next_; ++frame) {
    to.put_all(std::span<const float>(row(frame), static_cast<std::size_t>(channels_)));
  }
}

void PastRows::load(op::ByteReader& from) {
  first_ = from.get<std::int64_t>();
  next_ = from.get<std::int64_t>();
  for (std::int64_t frame = std::max(first_, next_ - ring_.frames()); frame < next_; ++frame) {
    from.get_all(std::span<float>(row(frame), static_cast<std::size_t>(channels_)));
  }
}

}  // namespace weir::signal
