#include "weir/pipeline/run/progress_board.h"

#include <algorithm>
#include <chrono>
#include <string_view>

#include "weir/core/error.h"

namespace weir::pipeline {
namespace {
constexpr std::string_view kRun = "run";
}

ProgressBoard::ProgressBoard(const PlanData& data) : side_by_side_(data.shares > 1) {
  for (const auto& input : data.inputs) {
    const StreamInfo& in = input.graph.in;
    Entry entry;
    entry.seconds_total = in.rate.seconds(in.total_frames());
    for (const auto& segment : in.segments) {
      entry.blocks += (segment.frames + input.place.chunk_frames - 1) / input.place.chunk_frames;
    }
    entries_.push_back(std::move(entry));
  }
}

void ProgressBoard::tick(std::size_t input, const InputRun::Moment& moment) {
  const std::lock_guard lock(mutex_);
  if (stopped_) {
    throw Error(ErrorCode::cancelled, "cancelled");
  }
  Entry& entry = entries_[input];
  entry.stage = moment.stage;
  entry.seconds_done = moment.seconds_done;
  entry.seconds_total = moment.seconds_total;
  entry.blocks_done += moment.bytes_read > 0 && entry.stage == kRun ? 1 : 0;
  bytes_read_ += moment.bytes_read;
  last_ = input;
}

void ProgressBoard::finished(std::size_t input) {
  const std::lock_guard lock(mutex_);
  Entry& entry = entries_[input];
  entry.finished = true;
  entry.seconds_done = entry.seconds_total;
  entry.blocks_done = entry.blocks;
}

void ProgressBoard::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
}

void ProgressBoard::leave() {
  const std::lock_guard lock(mutex_);
  ++left_;
  changed_.notify_all();
}

bool ProgressBoard::all_left(std::int64_t shares) const {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, std::chrono::milliseconds(100), [&] { return left_ == shares; });
}

Progress ProgressBoard::progress() const {
  const std::lock_guard lock(mutex_);
  Progress progress;
  if (side_by_side_) {
    progress = of_all();
  } else {
    const Entry& entry = entries_[last_];
    progress.input = static_cast<std::int64_t>(last_);
    progress.blocks_done = entry.blocks_done;
    progress.blocks = entry.blocks;
    progress.seconds_done = entry.seconds_done;
    progress.seconds_total = entry.seconds_total;
    progress.stage = entry.stage;
  }
  progress.inputs = static_cast<std::int64_t>(entries_.size());
  progress.bytes_read = bytes_read_;
  return progress;
}

/// Fits count for nothing done: what they read is read again.
Progress ProgressBoard::of_all() const {
  Progress progress;
  progress.stage = entries_[last_].stage;
  for (const Entry& entry : entries_) {
    progress.input += entry.finished ? 1 : 0;
    progress.blocks_done += entry.blocks_done;
    progress.blocks += entry.blocks;
    progress.seconds_done += entry.blocks_done > 0 ? entry.seconds_done : 0;
    progress.seconds_total += entry.seconds_total;
    if (entry.stage == kRun && !entry.finished) {
      progress.stage = kRun;
    }
  }
  progress.input = std::min(progress.input, static_cast<std::int64_t>(entries_.size()) - 1);
  return progress;
}

}  // namespace weir::pipeline
