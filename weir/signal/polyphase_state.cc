#include <algorithm>
#include <cstring>
#include <limits>

#include "weir/signal/polyphase.h"

namespace weir::signal {
namespace {
constexpr std::int64_t kRestRows = 64;
constexpr std::int64_t kNoStop = std::numeric_limits<std::int64_t>::max();

std::int64_t ceil_divide(std::int64_t a, std::int64_t b) noexcept {
  return (a + b - 1) / b;
}
}  // namespace

std::int64_t rows_before(const PolyphasePlan& plan) noexcept {
  return std::max({plan.before, plan.after + 1, plan.tail.empty() ? 0 : plan.length});
}

bool start_waits(const PolyphasePlan& plan, Edge edge, const op::StartPoint& at) noexcept {
  return edge != Edge::zero && at.first_frame == 0 && plan.before > 0;
}

std::int64_t first_output(const PolyphasePlan& plan, const op::StartPoint& at) noexcept {
  return outputs_of(plan, at.first_frame);
}

std::int64_t outputs_of(const PolyphasePlan& plan, std::int64_t frames) noexcept {
  return ceil_divide(frames * plan.up, plan.down);
}

std::int64_t frames_to_start(const PolyphasePlan& plan, Edge edge) noexcept {
  switch (edge) {
    case Edge::odd:
    case Edge::mirror:
      return plan.before + 1;
    case Edge::reflect:
      return std::max<std::int64_t>(plan.before, 1);
    case Edge::fitted:
      return plan.length;
    case Edge::zero:
    case Edge::nearest:
      break;
  }
  return 1;
}

std::int64_t most_outputs(const PolyphasePlan& plan, Edge edge, std::int64_t frames) noexcept {
  // A start that waited longer than its outputs need to look ahead gives them all at once.
  const std::int64_t held = std::max<std::int64_t>(frames_to_start(plan, edge) - 1 - plan.after, 0);
  return ceil_divide(ceil_divide((frames + held) * plan.up, plan.down), plan.grid()) * plan.grid();
}

std::int64_t support_first(const PolyphasePlan& plan, std::int64_t output) noexcept {
  const std::int64_t at = output * plan.down;
  return at / plan.up + plan.phases[static_cast<std::size_t>(at % plan.up)].first;
}

std::int64_t support_end(const PolyphasePlan& plan, std::int64_t output) noexcept {
  const std::int64_t at = output * plan.down;
  const auto& phase = plan.phases[static_cast<std::size_t>(at % plan.up)];
  // There is no output before its own frame, even if it uses only earlier ones.
  return at / plan.up + std::max<std::int64_t>(phase.first + phase.count, 1);
}

// The extension of the end mirrors rows from the last `after` + 1 on, which a filter that looks
// ahead of its output may have left behind.
std::int64_t oldest_needed(const PolyphasePlan& plan, std::int64_t output) noexcept {
  return std::min(support_first(plan, output) - (plan.tail.empty() ? 0 : 1),
                  output * plan.down / plan.up - 1);
}

// Rows before the first are rest, zero, until the start's extension replaces them: as many as the
// extension of a segment's end may mirror. Twice the span: what outputs to come need is at most one
// span, so each move of the kept rows to the front of the buffer makes room for as many new ones.
// On a grid, the rows of its outputs too.
PolyphaseState::PolyphaseState(const PolyphasePlan& plan, Edge edge, const op::StartPoint& at)
    : plan_(plan),
      edge_(edge),
      first_channel_(at.first_channel),
      head_(at.first_frame == 0 ? static_cast<std::int64_t>(plan.head.size()) : 0),
      kept_(SampleType::float32, plan.kept_rows(), at.channel_count),
      kept_first_(at.first_frame - rows_before(plan)),
      kept_rows_(rows_before(plan)),
      end_(at.first_frame),
      next_output_(first_output(plan, at)),
      waiting_(start_waits(plan, edge, at)) {
  if (plan.grid() > 1) {
    transform_ = Buffer(SampleType::float32, plan.fast.size, kLanePadding);
    rest_ = Buffer(SampleType::float32, kRestRows, kLanePadding);
    left_out_.resize(static_cast<std::size_t>(padded_channels(at.channel_count)));
  }
}

std::size_t PolyphaseState::bytes_for(const PolyphasePlan& plan, std::int64_t channels) noexcept {
  const std::size_t kept = Buffer::bytes_for(SampleType::float32, plan.kept_rows(), channels);
  return plan.grid() == 1
             ? kept
             : kept + Buffer::bytes_for(SampleType::float32, plan.fast.size, kLanePadding) +
                   Buffer::bytes_for(SampleType::float32, kRestRows, kLanePadding) +
                   static_cast<std::size_t>(padded_channels(channels));
}

std::int64_t PolyphaseState::run(Block<const float> in, Block<float> out) {
  out_ = out;
  filled_ = 0;
  while (in.frames() > 0) {
    // While the start waits, exactly as many rows as its extension mirrors.
    const std::int64_t most = waiting_ ? frames_to_start(plan_, edge_) - end_ : plan_.span();
    const std::int64_t joined = std::min(most, in.frames());
    const std::int64_t in_first = end_;
    feed_kept(in.slice(0, joined));
    if (!waiting_ && joined < in.frames() && oldest_needed(plan_, next_output_) >= in_first) {
      // The rest of the block holds all that its outputs need: no copy.
      end_ = in_first + in.frames();
      emit(in, in_first, end_, kNoStop);
      keep_tail(in, in_first);
      break;
    }
    in = in.slice(joined, in.frames() - joined);
  }
  return filled_;
}

void PolyphaseState::feed_kept(Block<const float> in) {
  append(in);
  if (waiting_ && end_ == frames_to_start(plan_, edge_)) {
    for (std::int64_t i = 1; i <= plan_.before; ++i) {
      mirror(i, false);
    }
    waiting_ = false;
  }
  if (!waiting_) {
    emit(kept(), kept_first_, end_, kNoStop);
  }
}

void PolyphaseState::append(Block<const float> in) {
  make_room(in.frames());
  const auto rows = kept_.as<float>();
  const auto bytes = static_cast<std::size_t>(padded_channels(in.channels())) * sizeof(float);
  for (std::int64_t frame = 0; frame < in.frames(); ++frame) {
    std::memcpy(rows.row(kept_rows_ + frame), in.row(frame), bytes);
  }
  kept_rows_ += in.frames();
  end_ += in.frames();
}

void PolyphaseState::make_room(std::int64_t rows) {
  if (kept_rows_ + rows <= kept_.frames()) {
    return;
  }
  const std::int64_t drop = std::clamp<std::int64_t>(
      waiting_ ? 0 : oldest_needed(plan_, next_output_) - kept_first_, 0, kept_rows_);
  const auto all = kept_.as<float>();
  std::memmove(all.row(0), all.row(drop),
               static_cast<std::size_t>((kept_rows_ - drop) * all.stride()) * sizeof(float));
  kept_first_ += drop;
  kept_rows_ -= drop;
}

/// Starts the kept rows anew with the end of a block.
void PolyphaseState::keep_tail(Block<const float> in, std::int64_t in_first) {
  const std::int64_t first = std::min(oldest_needed(plan_, next_output_), end_);
  kept_first_ = first;
  kept_rows_ = 0;
  end_ = first;
  append(in.slice(first - in_first, in.frames() - (first - in_first)));
}

/// The extension's row at `distance` from the first or last row of the segment.
void PolyphaseState::mirror(std::int64_t distance, bool at_end) const noexcept {
  const std::int64_t side = at_end ? 1 : -1;
  const std::int64_t end = at_end ? end_ - 1 : 0;
  const auto lanes = static_cast<std::size_t>(padded_channels(kept().channels()));
  float* to = row(end + side * distance);
  if (edge_ == Edge::zero) {
    std::fill_n(to, lanes, 0.0F);
  } else if (edge_ == Edge::nearest || edge_ == Edge::fitted || end_ == 1) {
    std::copy_n(row(end), lanes, to);
  } else if (edge_ == Edge::reflect) {
    std::copy_n(row(end - side * (distance - 1)), lanes, to);
  } else if (edge_ == Edge::mirror) {
    std::copy_n(row(end - side * distance), lanes, to);
  } else {
    const float* middle = row(end);
    const float* from = row(end - side * distance);
    for (std::size_t i = 0; i < lanes; ++i) {
      to[i] = 2 * middle[i] - from[i];
    }
  }
}

/// The rows past the segment's end; in a segment too short for its start to have been extended,
/// both sides by turns, each from what the other has made.
void PolyphaseState::extend() {
  extended_ = true;
  // A start that still waits may mirror rows past the end.
  const std::int64_t right =
      waiting_ ? std::max(plan_.after, plan_.before - end_ + 1) : plan_.after;
  make_room(right);
  kept_rows_ += right;
  for (std::int64_t i = 1; i <= std::max(plan_.before, right); ++i) {
    if (waiting_ && i <= plan_.before) {
      mirror(i, false);
    }
    if (i <= right) {
      mirror(i, true);
    }
  }
  waiting_ = false;
}

std::int64_t PolyphaseState::finish(Block<float> out, bool& done) {
  out_ = out;
  filled_ = 0;
  const std::int64_t total = outputs_of(plan_, end_);
  if (!extended_ && next_output_ < total) {
    extend();
  }
  if (next_output_ < total) {
    emit(kept(), kept_first_, end_ + plan_.after, total);
  }
  done = next_output_ >= total;
  return filled_;
}

void PolyphaseState::emit(Block<const float> in, std::int64_t first, std::int64_t limit,
                          std::int64_t stop) {
  std::int64_t last = next_output_;
  const std::int64_t room = std::min(stop - next_output_, out_.frames() - filled_);
  while (last - next_output_ < room && support_end(plan_, last) <= limit) {
    ++last;
  }
  if (last < stop) {
    last = std::max(next_output_, last - last % plan_.grid());
  }
  if (last > next_output_) {
    const auto out = out_.slice(filled_, last - next_output_);
    sum(in, first, out);
    sum_ends(in, first, out, stop);
    if (plan_.magnitude) {
      polyphase_magnitudes(in, {first, next_output_, first_channel_}, out);
    }
    filled_ += last - next_output_;
    next_output_ = last;
  }
}

void PolyphaseState::sum(Block<const float> in, std::int64_t first, Block<float> out) {
  if (plan_.grid() == 1) {
    polyphase_rows(plan_, in, {first, next_output_, first_channel_}, out);
    return;
  }
  std::int64_t at = 0;
  while (at < out.frames()) {
    const std::int64_t output = next_output_ + at;
    const std::int64_t count = std::min(plan_.grid() - output % plan_.grid(), out.frames() - at);
    sum_fast(in, first, output, out.slice(at, count));
    at += count;
  }
}

void PolyphaseState::sum_ends(Block<const float> in, std::int64_t first, Block<float> out,
                              std::int64_t total) {
  const std::int64_t last = next_output_ + out.frames();
  for (std::int64_t k = next_output_; k < std::min(last, head_); ++k) {
    polyphase_rows(plan_, in, {first, k, first_channel_, &plan_.head[static_cast<std::size_t>(k)]},
                   out.slice(k - next_output_, 1));
  }
  const auto tail = static_cast<std::int64_t>(plan_.tail.size());
  for (std::int64_t k = std::max(next_output_, total - tail); k < last; ++k) {
    polyphase_rows(plan_, in,
                   {first, k, first_channel_, &plan_.tail[static_cast<std::size_t>(total - 1 - k)]},
                   out.slice(k - next_output_, 1));
  }
}

void PolyphaseState::sum_fast(Block<const float> in, std::int64_t first, std::int64_t output,
                              Block<float> out) {
  const std::int64_t from = support_first(plan_, output) - first;
  const std::int64_t rows = std::min(in.frames() - from, plan_.fast.size + plan_.fast.block);
  if (overlap_save_rows(plan_.fast, in.slice(from, rows), out, transform_.as<float>().data(),
                        left_out_.data())) {
    sum_left_out(in, {first, output, 0}, out);
  }
}

/// Lanes with a sample that is not finite: summed directly, it spreads over its support alone.
void PolyphaseState::sum_left_out(Block<const float> in, const PolyphasePlace& at,
                                  Block<float> out) {
  for (std::int64_t lane = 0; lane < out.channels(); lane += kLanePadding) {
    const auto marks = left_out_.begin() + lane;
    if (std::none_of(marks, marks + kLanePadding, [](std::uint8_t mark) { return mark != 0; })) {
      continue;
    }
    const std::int64_t count = std::min(kLanePadding, out.channels() - lane);
    for (std::int64_t row = 0; row < out.frames(); row += kRestRows) {
      const auto rest =
          rest_.as<float>().slice(0, std::min(kRestRows, out.frames() - row)).columns(0, count);
      polyphase_rows(plan_, in.columns(lane, count), {at.frame, at.output + row, 0}, rest);
      for (std::int64_t i = 0; i < rest.frames() * count; ++i) {
        if (marks[i % count] != 0) {
          out(row + i / count, lane + i % count) = rest(i / count, i % count);
        }
      }
    }
  }
}

PolyphaseMoment PolyphaseState::moment() const {
  PolyphaseMoment now{kept_first_, end_, next_output_, waiting_};
  for (std::int64_t i = 0; i < kept_rows_; ++i) {
    now.rows.insert(now.rows.end(), kept().row(i), kept().row(i) + kept().channels());
  }
  return now;
}

void PolyphaseState::resume(const PolyphaseMoment& from) {
  kept_first_ = from.first;
  kept_rows_ = from.end - from.first;
  end_ = from.end;
  next_output_ = from.next_output;
  waiting_ = from.waiting;
  for (std::int64_t i = 0; i < kept_rows_; ++i) {
    std::copy_n(from.rows.data() + i * kept().channels(), kept().channels(), kept().row(i));
  }
}

void PolyphaseState::save(op::ByteWriter& to) const {
  to.put(kept_first_);
  to.put(kept_rows_);
  to.put(end_);
  to.put(next_output_);
  to.put(waiting_);
  to.put(extended_);
  for (std::int64_t i = 0; i < kept_rows_; ++i) {
    to.put_all(std::span<const float>(kept().row(i), static_cast<std::size_t>(kept().channels())));
  }
}

void PolyphaseState::load(op::ByteReader& from) {
  kept_first_ = from.get<std::int64_t>();
  kept_rows_ = from.get<std::int64_t>();
  end_ = from.get<std::int64_t>();
  next_output_ = from.get<std::int64_t>();
  waiting_ = from.get<bool>();
  extended_ = from.get<bool>();
  if (kept_rows_ < 0 || kept_rows_ > kept_.frames()) {
    throw Error(ErrorCode::corrupt_data, "a resampler's saved rows do not fit its filter");
  }
  for (std::int64_t i = 0; i < kept_rows_; ++i) {
    from.get_all(std::span(kept().row(i), static_cast<std::size_t>(kept().channels())));
  }
}

}  // namespace weir::signal
