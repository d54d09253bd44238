#include <algorithm>

#include "weir/signal/ops/iir/iir_spool_internal.h"

namespace weir::signal {
namespace {
std::int64_t row_bytes(std::int64_t channels) noexcept {
  return padded_channels(channels) * static_cast<std::int64_t>(sizeof(float));
}
}  // namespace

std::int64_t SpoolPlan::piece_rows(std::int64_t channels) const noexcept {
  constexpr std::int64_t kPieceBytes = std::int64_t{1} << 20;
  return std::clamp<std::int64_t>(kPieceBytes / row_bytes(channels), 16,
                                  std::max<std::int64_t>(rows, 16));
}

std::size_t SpoolPlan::memory_bytes(std::int64_t channels) const noexcept {
  return Buffer::bytes_for(SampleType::float32, in_file ? piece_rows(channels) : rows, channels);
}

std::size_t SpoolPlan::file_bytes(std::int64_t channels) const noexcept {
  return in_file ? Buffer::bytes_for(SampleType::float32, rows, channels) : 0;
}

Spool::Spool(const SpoolPlan& plan, std::int64_t channels)
    : rows_(std::max<std::int64_t>(plan.rows, 1)),
      memory_(SampleType::float32, plan.in_file ? plan.piece_rows(channels) : plan.rows, channels) {
  if (plan.in_file) {
    file_.emplace(temporary_folder(plan.folder));
  }
}

std::int64_t Spool::reach(std::int64_t first, std::int64_t wanted) const noexcept {
  return std::min({wanted, rows_ - first % rows_, memory_.frames()});
}

std::int64_t Spool::reach_back(std::int64_t last, std::int64_t wanted) const noexcept {
  return std::min({wanted, (last - 1) % rows_ + 1, memory_.frames()});
}

Block<float> Spool::room(std::int64_t first, std::int64_t count) const {
  return memory_.block().slice(file_ ? 0 : first % rows_, count).as<float>();
}

Block<float> Spool::rows(std::int64_t first, std::int64_t count) const {
  const Block<float> block = room(first, count);
  if (file_) {
    file_->read(offset(first), std::as_writable_bytes(whole(block)));
  }
  return block;
}

void Spool::store(std::int64_t first, Block<float> rows) {
  if (file_) {
    file_->write(offset(first), std::as_bytes(whole(rows)));
  }
}

std::int64_t Spool::offset(std::int64_t row) const noexcept {
  return row % rows_ * memory_.block().stride() * static_cast<std::int64_t>(sizeof(float));
}

std::span<float> Spool::whole(Block<float> rows) noexcept {
  return {rows.data(), static_cast<std::size_t>(rows.frames() * rows.stride())};
}

}  // namespace weir::signal
