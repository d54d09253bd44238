#pragma once

#include <cstdint>
#include <vector>

#include "weir/core/buffer.h"
#include "weir/core/rational.h"
#include "weir/op/step.h"
#include "weir/signal/overlap_save.h"

namespace weir::signal {

/// What lies past the ends of a segment. For abcd:
enum class Edge {
  zero,  ///< 0 0 | a b c d | 0 0
  odd,   ///< 2a-c 2a-b | a b c d | 2d-c 2d-b: point symmetric about the end; one sample: constant
  reflect,  ///< b a | a b c d | d c: the end sample twice, as scipy.ndimage names it
  nearest,  ///< a a | a b c d | d d
  mirror,   ///< c b | a b c d | c b: the end sample once; one sample: constant
  fitted    ///< As nearest, but the first and the last outputs have sums of their own
};

/// Where one phase of the filter stands: output k uses input frames from
/// floor(k down / up) + first on, `count` of them, with taps from `tap` on.
struct PolyphasePhase {
  std::int64_t first = 0;
  std::int64_t count = 0;
  std::int64_t tap = 0;
};

/// A filter of one ratio, ready to run: output k has phase (k down) mod up.
struct PolyphasePlan {
  std::int64_t up = 1;
  std::int64_t down = 1;
  std::int64_t before = 0;  ///< Most frames used before floor(k down / up).
  std::int64_t after = 0;   ///< Most frames used after it.
  std::int64_t length = 1;  ///< Taps of the whole filter.
  std::vector<PolyphasePhase> phases = {};
  std::vector<float> taps = {};  ///< Phase by phase, in the order of the input frames they meet.
  /// 1 where all channels have the same taps. Else, at ratio 1, tap i of channel c of the stream is
  /// taps[i * tap_stride + c], and there are taps for lanes up to the next multiple of
  /// `kLanePadding`.
  std::int64_t tap_stride = 1;
  /// Of `Edge::fitted`, at ratio 1: the sums of output k, and of output k from the end, of the
  /// first and the last `length` rows.
  std::vector<PolyphasePhase> head = {};
  std::vector<PolyphasePhase> tail = {};
  OverlapSave fast = {};  ///< Where sums go by Fourier transforms on the CPU, at ratio 1.

  bool magnitude = false;  ///< Outputs are sqrt(sum^2 + x^2), x the row that they stand at.

  std::int64_t span() const noexcept { return before + after + 1; }
  /// Outputs come up to whole multiples of it, counted from the segment's first, except the last.
  /// States begin and blocks are cut anywhere: what waits for its block is kept here.
  std::int64_t grid() const noexcept { return fast.size > 0 ? 2 * fast.block : 1; }
  /// Rows of the past that a run keeps at most.
  std::int64_t kept_rows() const noexcept { return 2 * span() + (grid() > 1 ? grid() : 0); }
};

/// y[t] = sum_j h[j] x[t + after - j]: causal where `after` is 0, centred where it is half.
PolyphasePlan plan_taps(const std::vector<double>& taps, std::int64_t after);

/// The rate times `ratio`, by a low-pass of odd length at `up` times the old rate: output k stands
/// at frame k down / up.
/// Source: Crochiere & Rabiner 1983, 2.3-3.3.
PolyphasePlan plan_ratio(const Rational& ratio, const std::vector<double>& taps);

/// Products are added in the order of the input frames, in runs of so many, and the runs then in
/// order: the rounding of long filters stays small, and the order depends on nothing but the taps.
inline constexpr std::int64_t kPolyphaseRun = 64;

/// Where a call of polyphase_rows stands in the stream.
struct PolyphasePlace {
  std::int64_t frame = 0;                 ///< Of row 0 of the input.
  std::int64_t output = 0;                ///< Of row 0 of the output.
  std::int64_t channel = 0;               ///< Of lane 0 of both.
  const PolyphasePhase* phase = nullptr;  ///< Of all outputs, where it is not the plan's.
};

/// The outputs of every row of `out`; all the rows that they need are in `in`.
void polyphase_rows(const PolyphasePlan& plan, Block<const float> in, const PolyphasePlace& at,
                    Block<float> out);

/// Every sum in `out` becomes the magnitude of itself and the sample that it stands at, at ratio 1.
void polyphase_magnitudes(Block<const float> in, const PolyphasePlace& at, Block<float> out);

/// First rows that a State keeps before its own first frame.
std::int64_t rows_before(const PolyphasePlan& plan) noexcept;

/// Whether the start has an extension to be made from rows to come.
bool start_waits(const PolyphasePlan& plan, Edge edge, const op::StartPoint& at) noexcept;

/// The output of a State's first frame, or the first after it.
std::int64_t first_output(const PolyphasePlan& plan, const op::StartPoint& at) noexcept;

/// Outputs of a segment of so many frames.
std::int64_t outputs_of(const PolyphasePlan& plan, std::int64_t frames) noexcept;

/// Frames that must be there before the start's extension can be made.
std::int64_t frames_to_start(const PolyphasePlan& plan, Edge edge) noexcept;

/// Outputs that `frames` more input frames can make final at most.
std::int64_t most_outputs(const PolyphasePlan& plan, Edge edge, std::int64_t frames) noexcept;

/// How far a run over one segment has come, whichever target ran it.
struct PolyphaseMoment {
  std::int64_t first = 0;        ///< Frame of the first of `rows`; negative in the extension.
  std::int64_t end = 0;          ///< Input frames seen; `rows` reach up to here.
  std::int64_t next_output = 0;  ///< Next output index.
  bool waiting = false;          ///< The start's extension is not made yet.
  std::vector<float> rows = {};  ///< Shape: [end - first, channels].
};

/// First input frame and one past the last that an output uses.
std::int64_t support_first(const PolyphasePlan& plan, std::int64_t output) noexcept;
std::int64_t support_end(const PolyphasePlan& plan, std::int64_t output) noexcept;

/// The first row that `output` and those after it need, the extension of the segment's end
/// included.
std::int64_t oldest_needed(const PolyphasePlan& plan, std::int64_t output) noexcept;

/// Runs a plan over one segment: keeps the rows that outputs to come still need.
class PolyphaseState final : public op::State {
 public:
  PolyphaseState(const PolyphasePlan& plan, Edge edge, const op::StartPoint& at);

  /// Returns how many rows of `out` were filled.
  std::int64_t run(Block<const float> in, Block<float> out);
  /// Fills as much of the tail as `out` holds; `done` says whether it was all.
  std::int64_t finish(Block<float> out, bool& done);

  /// Between blocks, not after `finish`.
  PolyphaseMoment moment() const;
  /// Goes on from a moment of the same plan and channels.
  void resume(const PolyphaseMoment& from);

  void save(op::ByteWriter& to) const;
  void load(op::ByteReader& from);

  static std::size_t bytes_for(const PolyphasePlan& plan, std::int64_t channels) noexcept;

 private:
  Block<float> kept() const noexcept { return kept_.as<float>().slice(0, kept_rows_); }
  float* row(std::int64_t frame) const noexcept {
    return kept_.as<float>().row(frame - kept_first_);
  }
  void feed_kept(Block<const float> in);
  void keep_tail(Block<const float> in, std::int64_t in_first);
  void append(Block<const float> in);
  void make_room(std::int64_t rows);
  void extend();
  void mirror(std::int64_t distance, bool at_end) const noexcept;
  /// Emits the outputs before `stop` whose support ends by frame `limit`; row 0 of `in` is frame
  /// `first`.
  void emit(Block<const float> in, std::int64_t first, std::int64_t limit, std::int64_t stop);
  void sum(Block<const float> in, std::int64_t first, Block<float> out);
  void sum_ends(Block<const float> in, std::int64_t first, Block<float> out, std::int64_t total);
  void sum_fast(Block<const float> in, std::int64_t first, std::int64_t output, Block<float> out);
  void sum_left_out(Block<const float> in, const PolyphasePlace& at, Block<float> out);

  const PolyphasePlan& plan_;
  Edge edge_;
  std::int64_t first_channel_;
  std::int64_t head_;  ///< Outputs of the segment's start with sums of their own.
  Buffer kept_;
  std::int64_t kept_first_ = 0;   ///< Frame of the first kept row; negative for the left extension.
  std::int64_t kept_rows_ = 0;    ///< They reach up to `end_`, past it once the end is extended.
  std::int64_t end_ = 0;          ///< Input frames seen, counted from the segment's first.
  std::int64_t next_output_ = 0;  ///< Next output index.
  bool waiting_ = false;          ///< The rows that the left extension mirrors are not there yet.
  bool extended_ = false;         ///< The segment has ended and its right extension is there.
  Buffer transform_;              ///< Room for `fast`, and for what it leaves out.
  Buffer rest_;
  std::vector<std::uint8_t> left_out_;
  Block<float> out_;
  std::int64_t filled_ = 0;
};

}  // namespace weir::signal
