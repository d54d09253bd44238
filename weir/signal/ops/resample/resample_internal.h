#pragma once

#include <cstdint>

#include "weir/core/buffer.h"
#include "weir/op/step.h"
#include "weir/signal/ops/resample/resample.h"

namespace weir::signal {

/// Longest run of products added in one accumulator set before it goes to the total; keeps the
/// rounding of long filters small and depends on nothing but the taps.
inline constexpr std::int64_t kResampleRun = 256;

/// Outputs `output`, `output` + 1, … into every row of `out`; row 0 of `in` is input frame `first`,
/// and all the rows that they need are there.
void resample_rows(const ResamplePlan& plan, Block<const float> in, std::int64_t first,
                   std::int64_t output, Block<float> out);

/// Runs a plan over one segment: keeps the rows that outputs to come still need.
class ResampleState final : public op::State {
 public:
  ResampleState(const ResamplePlan& plan, ResamplePad pad, const op::StartPoint& at);

  /// Returns how many rows of `out` were filled.
  std::int64_t run(Block<const float> in, Block<float> out);
  /// Fills as much of the tail as `out` holds; `done` says whether it was all.
  std::int64_t finish(Block<float> out, bool& done);

  void save(op::ByteWriter& to) const;
  void load(op::ByteReader& from);

  static std::size_t bytes_for(const ResamplePlan& plan, std::int64_t channels) noexcept;

 private:
  std::int64_t support_first(std::int64_t output) const noexcept;
  std::int64_t support_end(std::int64_t output) const noexcept;
  Block<float> kept() const noexcept { return kept_.as<float>().slice(0, kept_rows_); }
  float* row(std::int64_t frame) const noexcept {
    return kept_.as<float>().row(frame - kept_first_);
  }
  void feed_kept(Block<const float> in);
  void keep_tail(Block<const float> in, std::int64_t in_first);
  void append(Block<const float> in);
  void make_room(std::int64_t rows);
  void extend();
  void mirror(std::int64_t frame, std::int64_t around) const noexcept;
  /// Emits the outputs before `stop` whose support ends by frame `limit`; row 0 of `in` is frame
  /// `first`.
  void emit(Block<const float> in, std::int64_t first, std::int64_t limit, std::int64_t stop);

  const ResamplePlan& plan_;
  ResamplePad pad_;
  Buffer kept_;
  std::int64_t kept_first_ = 0;   ///< Frame of the first kept row; negative for the left extension.
  std::int64_t kept_rows_ = 0;    ///< They reach up to `end_`, past it once the end is extended.
  std::int64_t end_ = 0;          ///< Input frames seen, counted from the segment's first.
  std::int64_t next_output_ = 0;  ///< Next output index.
  bool waiting_ = false;          ///< The rows that the left extension mirrors are not there yet.
  bool extended_ = false;         ///< The segment has ended and its right extension is there.
  Block<float> out_;
  std::int64_t filled_ = 0;
};

}  // namespace weir::signal
