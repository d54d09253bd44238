#pragma once

#include <cstdint>

#include "weir/core/block.h"
#include "weir/core/buffer.h"
#include "weir/op/bytes.h"

namespace weir::signal {

/// The last rows of a stream of float32 counts, by frame.
class PastRows {
 public:
  /// `first_frame`: the first row that will be pushed.
  PastRows(std::int64_t rows, std::int64_t channels, std::int64_t first_frame);
  static std::size_t bytes_for(std::int64_t rows, std::int64_t channels) noexcept;

  std::int64_t first() const noexcept { return first_; }  ///< Rows before it never came.
  std::int64_t next() const noexcept { return next_; }    ///< The frame that comes next.
  /// One of the last rows, which may be changed.
  float* row(std::int64_t frame) const noexcept {
    return ring_.as<float>().row(frame % ring_.frames());
  }
  /// One of the last rows, or of `in`, which comes next.
  const float* row(std::int64_t frame, Block<const float> in) const noexcept {
    return frame >= next_ ? in.row(frame - next_) : row(frame);
  }
  void push(Block<const float> in) noexcept;

  /// Every row that is kept: row k at k mod their number.
  Block<float> all() const noexcept { return ring_.as<float>(); }
  /// What `all` was filled with from elsewhere: rows from `first` on, up to before `next`.
  void stands_at(std::int64_t first, std::int64_t next) noexcept {
    first_ = first;
    next_ = next;
  }

  void save(op::ByteWriter& to) const;
  void load(op::ByteReader& from);

 private:
  Buffer ring_;
  std::int64_t channels_;
  std::int64_t first_;
  std::int64_t next_;
};

}  // namespace weir::signal
