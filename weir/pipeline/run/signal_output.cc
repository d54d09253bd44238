#include <algorithm>
#include <cstring>

#include "weir/compute/convert.h"
#include "weir/core/error.h"
#include "weir/pipeline/plan/device_graph.h"
#include "weir/pipeline/run/signal_output_internal.h"

namespace weir::pipeline {

SignalToFile::SignalToFile(const PlannedOutput& plan, const StreamInfo& stream, std::size_t groups,
                           std::int64_t capacity, std::int64_t stage_bytes,
                           std::vector<std::byte> resume_from)
    : plan_(plan), cursors_(groups), columns_(groups) {
  const StreamInfo& out = plan.recording.stream;
  copies_ = copies_counts(plan, stream);
  formats::RecordingOutput request = plan.recording;
  if (!resume_from.empty()) {
    op::ByteReader reader(resume_from);
    frames_ = reader.get<std::int64_t>();
    clipped_ = reader.get<std::int64_t>();
    rounded_ = reader.get<std::int64_t>();
    request.resume_from = reader.get_vector<std::byte>();
  }
  writer_ = plan.format->create(request);
  const auto row = out.channel_count() * static_cast<std::int64_t>(size_of(out.type));
  stage_rows_ = std::max<std::int64_t>(1, stage_bytes / row);
  thread_ = std::make_unique<WriterThread>(*writer_, out.type, out.channel_count(),
                                           stage_rows_ + capacity);
  stage_ = thread_->take();
}

std::vector<SignalToFile::Columns> SignalToFile::columns_of(const ChannelGroup& channels) const {
  std::vector<Columns> runs;
  for (std::size_t to = 0; to < plan_.channels.size(); ++to) {
    const std::int64_t from = plan_.channels[to] - channels.first;
    if (from < 0 || from >= channels.count) {
      continue;
    }
    const auto at = static_cast<std::int64_t>(to);
    const bool extends = !runs.empty() && runs.back().from + runs.back().count == from &&
                         runs.back().to + runs.back().count == at;
    if (extends) {
      ++runs.back().count;
    } else {
      runs.push_back({from, at, 1});
    }
  }
  return runs;
}

void SignalToFile::rows(std::size_t group, const ChannelGroup& channels, AnyBlock block) {
  if (columns_[group].empty()) {
    columns_[group] = columns_of(channels);
  }
  const std::int64_t first_row = stage_.rows + cursors_.at(group);
  const auto row = plan_.recording.stream.channel_count() *
                   static_cast<std::int64_t>(size_of(plan_.recording.stream.type));
  WEIR_CHECK((first_row + block.frames()) * row <= static_cast<std::int64_t>(stage_.bytes.size()));
  for (const Columns& columns : columns_[group]) {
    convert(channels, block, columns, first_row);
  }
  cursors_.advance(group, block.frames());
}

void SignalToFile::convert(const ChannelGroup& channels, AnyBlock block, const Columns& columns,
                           std::int64_t first_row) {
  const std::int64_t width = plan_.recording.stream.channel_count();
  const AnyBlock in = block.columns(columns.from, columns.count);
  const AnyBlock whole(plan_.recording.stream.type, stage_.bytes.data(), first_row + block.frames(),
                       width, width);
  const AnyBlock out = whole.slice(first_row, block.frames()).columns(columns.to, columns.count);
  const auto first = static_cast<std::size_t>(channels.first + columns.from);
  // The conversions read whole vectors of these; they are padded at the end of all channels.
  const std::span<const float> gain = std::span(plan_.gain).subspan(first);
  const std::span<const float> offset = std::span(plan_.offset).subspan(first);
  const bool from_counts = block.type() == SampleType::int16;
  if (out.type() == SampleType::float32) {
    from_counts ? compute::to_physical(in.as<std::int16_t>(), gain, offset, out.as<float>())
                : compute::to_physical(in.as<float>(), gain, offset, out.as<float>());
  } else if (out.type() == SampleType::int32) {
    const auto losses = compute::to_int32(in.as<float>(), out.as<std::int32_t>());
    clipped_ += losses.clipped;
    rounded_ += losses.rounded;
  } else if (plan_.shift != 0) {
    const Buffer floats(SampleType::float32, in.frames(), in.channels());
    const std::vector<float> shift(static_cast<std::size_t>(padded_channels(in.channels())),
                                   plan_.shift);
    compute::shift(in.as<float>(), shift, floats.as<float>());
    clipped_ += compute::to_int16(floats.as<float>(), gain, out.as<std::int16_t>());
  } else if (!from_counts) {
    clipped_ += compute::to_int16(in.as<float>(), gain, out.as<std::int16_t>());
  } else if (copies_) {
    for (std::int64_t f = 0; f < in.frames(); ++f) {
      std::memcpy(out.slice(f, 1).data(), in.slice(f, 1).data(),
                  static_cast<std::size_t>(columns.count) * 2);
    }
  } else {
    const Buffer floats(SampleType::float32, in.frames(), in.channels());
    const std::vector<float> zero(static_cast<std::size_t>(padded_channels(in.channels())), 0.0F);
    compute::widen(in.as<std::int16_t>(), zero, floats.as<float>());
    clipped_ += compute::to_int16(floats.as<float>(), gain, out.as<std::int16_t>());
  }
}

void SignalToFile::converted(AnyBlock rows, std::int64_t clipped) {
  const StreamInfo& out = plan_.recording.stream;
  const auto row = static_cast<std::size_t>(out.channel_count()) * size_of(out.type);
  const std::size_t at = static_cast<std::size_t>(stage_.rows + cursors_.at(0)) * row;
  const std::size_t bytes = static_cast<std::size_t>(rows.frames()) * row;
  WEIR_CHECK(rows.type() == out.type && rows.stride() == out.channel_count());
  WEIR_CHECK(at + bytes <= stage_.bytes.size());
  std::memcpy(stage_.bytes.data() + at, rows.data(), bytes);
  clipped_ += clipped;
  cursors_.advance(0, rows.frames());
}

void SignalToFile::turn_over() {
  const std::int64_t frames = cursors_.take();
  stage_.rows += frames;
  frames_ += frames;
  if (stage_.rows >= stage_rows_) {
    hand_over();
  }
}

void SignalToFile::hand_over() {
  in_context("node " + plan_.node, [&] {
    thread_->give(std::move(stage_));
    stage_ = thread_->take();
  });
}

void SignalToFile::drain() {
  hand_over();
  in_context("node " + plan_.node, [&] { thread_->drain(); });
}

void SignalToFile::end_segment() {
  drain();
  in_context("node " + plan_.node, [&] { writer_->end_segment(); });
}

std::vector<std::byte> SignalToFile::save() {
  drain();
  op::ByteWriter out;
  out.put(frames_);
  out.put(clipped_.load());
  out.put(rounded_.load());
  out.put_all(writer_->save());
  return out.bytes();
}

void SignalToFile::commit(const std::string& provenance) {
  drain();
  writer_->commit(provenance);
}

OutputReport SignalToFile::report() const {
  OutputReport report;
  report.node = plan_.node;
  report.path = plan_.path;
  report.provenance = formats::provenance_path(plan_.path);
  report.frames = frames_;
  report.channels = plan_.recording.stream.channel_count();
  report.axis = plan_.recording.stream.axis;
  report.rate_hz = plan_.recording.stream.rate.hz();
  report.bytes_written = writer_->bytes_written();
  report.clipped = clipped_;
  report.rounded = rounded_;
  report.write_s = thread_->busy_s();
  return report;
}

}  // namespace weir::pipeline
