#include "weir/formats/kinds/zarr/zarr_recording_writer.h"

#include <fmt/format.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstring>

#include "weir/core/error.h"
#include "weir/core/parallel_loop.h"
#include "weir/formats/kinds/zarr/zarr_layout.h"
#include "weir/formats/kinds/zarr/zarr_partial.h"
#include "weir/formats/kinds/zarr/zarr_shard.h"
#include "weir/formats/recording_document.h"
#include "weir/formats/saved_writer.h"

namespace weir::formats {
namespace {

class ZarrWriter final : public RecordingWriter {
 public:
  ZarrWriter(const RecordingOutput& output, ZarrPartial::Start start)
      : output_(output),
        layout_(plan_layout(output)),
        partial_(output.path, start),
        rows_(std::make_unique_for_overwrite<std::byte[]>(
            static_cast<std::size_t>(layout_.buffer_frames * layout_.row_bytes))) {}

  void resume(const SavedWriter& saved) {
    done_ = to_integers(saved.fields.at("segments"));
    shard_ = saved.fields.at("shard").as_integer();
    frames_ = saved.fields.at("frames").as_integer();
    partial_.set_bytes_written(saved.fields.at("bytes").as_integer());
    if (std::ssize(saved.pending) != frames_ * layout_.row_bytes ||
        frames_ > layout_.buffer_frames) {
      throw Error(ErrorCode::corrupt_data,
                  fmt::format("checkpoint: {} bytes for {} rows of {}", saved.pending.size(),
                              frames_, layout_.row_bytes));
    }
    std::copy(saved.pending.begin(), saved.pending.end(), rows_.get());
  }

  void append(AnyBlock rows) override {
    WEIR_CHECK(rows.type() == output_.stream.type &&
               rows.channels() == output_.stream.channel_count());
    WEIR_CHECK(done_.size() < output_.stream.segments.size());
    const auto* from = static_cast<const std::byte*>(rows.data());
    const std::int64_t step = rows.stride() * static_cast<std::int64_t>(size_of(rows.type()));
    for (std::int64_t f = 0; f < rows.frames(); ++f) {
      if (frames_ == layout_.shard_frames()) {
        write_shard();
      }
      WEIR_CHECK(frames_ < layout_.buffer_frames);
      std::memcpy(rows_.get() + frames_ * layout_.row_bytes, from + f * step,
                  static_cast<std::size_t>(layout_.row_bytes));
      ++frames_;
    }
  }

  void end_segment() override {
    WEIR_CHECK(done_.size() < output_.stream.segments.size());
    const std::int64_t total = shard_ * layout_.shard_frames() + frames_;
    if (frames_ > 0) {
      write_shard();
    }
    partial_.write(std::filesystem::path(segment_name(std::ssize(done_))) / "zarr.json",
                   to_value(array_of(layout_, output_, total)));
    done_.push_back(total);
    shard_ = 0;
  }

  std::vector<std::byte> save() override {
    Value fields = Value::object();
    fields.set("segments", to_value(done_));
    fields.set("shard", shard_);
    fields.set("frames", frames_);
    fields.set("bytes", partial_.bytes_written());
    return encode_saved(
        "zarr", {std::move(fields), {rows_.get(), rows_.get() + frames_ * layout_.row_bytes}});
  }

  void keep_partial() noexcept override { partial_.keep(); }

  void commit(const std::string& provenance) override {
    while (frames_ > 0 || done_.size() < output_.stream.segments.size()) {
      end_segment();
    }
    partial_.write("zarr.json", group_document(to_document("weir_recording", output_.stream, done_,
                                                           output_.start_time)));
    commit_partial(output_.path, {}, {}, provenance, output_.overwrite);
  }

  std::int64_t bytes_written() const noexcept override { return partial_.bytes_written(); }

 private:
  void write_shard() {
    const std::int64_t chunk_bytes = layout_.chunk_frames * layout_.row_bytes;
    const std::int64_t count = (frames_ + layout_.chunk_frames - 1) / layout_.chunk_frames;
    // The last chunk is as long as any other: the rest of it is the fill value.
    std::memset(rows_.get() + frames_ * layout_.row_bytes, 0,
                static_cast<std::size_t>(count * chunk_bytes - frames_ * layout_.row_bytes));
    std::vector<std::vector<std::byte>> chunks(static_cast<std::size_t>(count));
    // Isolated: a waiting thread must not take up work that waits for this writer.
    tbb::this_task_arena::isolate([&] {
      parallel_loop(count, [&](std::int64_t i) {
        chunks[i] = encode(layout_.codecs,
                           {rows_.get() + i * chunk_bytes, static_cast<std::size_t>(chunk_bytes)});
      });
    });
    chunks.push_back(shard_index(chunks, layout_.chunks_per_shard));
    partial_.write(std::filesystem::path(segment_name(std::ssize(done_))) / "c" /
                       fmt::format("{}", shard_) / "0",
                   chunks);
    ++shard_;
    frames_ = 0;
  }

  RecordingOutput output_;
  ZarrLayout layout_;
  ZarrPartial partial_;
  std::unique_ptr<std::byte[]> rows_;  ///< Of the current shard.
  std::int64_t frames_ = 0;            ///< Rows in it.
  std::int64_t shard_ = 0;             ///< Its index in the current segment.
  std::vector<std::int64_t> done_;     ///< Frames of each complete segment.
};
}  // namespace

std::unique_ptr<RecordingWriter> make_zarr_writer(const RecordingOutput& output) {
  if (output.resume_from.empty()) {
    check_output(output.path, output.overwrite);
    return std::make_unique<ZarrWriter>(output, ZarrPartial::Start::anew);
  }
  const SavedWriter saved = decode_saved("zarr", output.resume_from);
  auto writer = std::make_unique<ZarrWriter>(output, ZarrPartial::Start::resumed);
  writer->resume(saved);
  return writer;
}

}  // namespace weir::formats
