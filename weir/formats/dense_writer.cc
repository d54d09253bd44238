#include "weir/formats/dense_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "weir/core/error.h"
#include "weir/formats/output_file.h"
#include "weir/formats/recording_document.h"
#include "weir/formats/saved_writer.h"
#include "weir/formats/stored_samples.h"

namespace weir::formats {
namespace {
constexpr std::int64_t kBufferBytes = std::int64_t{4} << 20;

class DenseWriter final : public RecordingWriter {
 public:
  DenseWriter(const RecordingOutput& output, DenseHeader header, StoredType stored,
              std::int64_t kept)
      : output_(output),
        header_(header),
        stored_(stored),
        row_bytes_(output.stream.channel_count() * stored_bytes(stored)),
        file_(output.path, kept),
        rows_in_buffer_(
            std::max(std::int64_t{1}, kBufferBytes / std::max(row_bytes_, std::int64_t{1}))),
        buffer_(std::make_unique_for_overwrite<std::byte[]>(
            static_cast<std::size_t>(rows_in_buffer_ * row_bytes_))) {
    if (kept == 0 && header_ != nullptr) {
      file_.write(header_(output_, 0));
    }
  }

  void resume(const Value& fields) {
    done_ = to_integers(fields.at("segments"));
    frames_ = fields.at("frames").as_integer();
  }

  void append(AnyBlock rows) override {
    WEIR_CHECK(rows.type() == output_.stream.type &&
               rows.channels() == output_.stream.channel_count());
    WEIR_CHECK(done_.size() < output_.stream.segments.size());
    frames_ += rows.frames();
    if (rows.stride() == rows.channels() && stored_ != StoredType::int24) {
      flush();
      write({static_cast<const std::byte*>(rows.data()),
             static_cast<std::size_t>(rows.frames() * row_bytes_)});
      return;
    }
    pack(rows);
  }

  void end_segment() override {
    WEIR_CHECK(done_.size() < output_.stream.segments.size());
    done_.push_back(frames_);
    frames_ = 0;
  }

  std::vector<std::byte> save() override {
    flush();
    Value fields = Value::object();
    fields.set("bytes", file_.size());
    fields.set("segments", to_value(done_));
    fields.set("frames", frames_);
    return encode_saved("dense", {std::move(fields), {}});
  }

  void keep_partial() noexcept override { file_.keep(); }

  void commit(const std::string& provenance) override {
    flush();
    if (frames_ > 0) {
      end_segment();
    }
    done_.resize(output_.stream.segments.size(), 0);  // Segments without a frame.
    Value document = to_document("weir_raw", output_.stream, done_, output_.start_time);
    document.set("dtype", name(stored_));
    if (header_ != nullptr) {
      file_.rewrite(0, header_(output_, document.at("samples").as_integer()));
    }
    file_.close();
    commit_partial(output_.path, sidecar_path(output_.path), to_json(document, 1) + "\n",
                   provenance, output_.overwrite);
  }

  std::int64_t bytes_written() const noexcept override { return file_.size(); }

 private:
  void write(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
      // Large calls, but not so large that a cancelled run hangs in one.
      const auto piece = bytes.first(std::min<std::size_t>(bytes.size(), std::size_t{64} << 20));
      file_.write(piece);
      bytes = bytes.subspan(piece.size());
    }
  }

  void flush() {
    write({buffer_.get(), static_cast<std::size_t>(buffered_rows_ * row_bytes_)});
    buffered_rows_ = 0;
  }

  void pack(AnyBlock rows) {
    const auto* from = static_cast<const std::byte*>(rows.data());
    const std::int64_t step = rows.stride() * static_cast<std::int64_t>(size_of(rows.type()));
    for (std::int64_t f = 0; f < rows.frames(); ++f) {
      if (buffered_rows_ == rows_in_buffer_) {
        flush();
      }
      std::byte* to = buffer_.get() + buffered_rows_ * row_bytes_;
      if (stored_ == StoredType::int24) {
        pack_24({reinterpret_cast<const std::int32_t*>(from + f * step),
                 static_cast<std::size_t>(rows.channels())},
                to);
      } else {
        std::memcpy(to, from + f * step, static_cast<std::size_t>(row_bytes_));
      }
      ++buffered_rows_;
    }
  }

  /// The three low bytes of each count. Errors: `unsupported` for one that has more.
  void pack_24(std::span<const std::int32_t> counts, std::byte* to) const {
    for (const std::int32_t count : counts) {
      if (count < -(1 << 23) || count >= 1 << 23) {
        throw Error(ErrorCode::unsupported, fmt::format("{}: the count {} has more than 24 bits",
                                                        output_.path.string(), count));
      }
      const auto bits = static_cast<std::uint32_t>(count);
      for (const unsigned shift : {0U, 8U, 16U}) {
        *to++ = static_cast<std::byte>(bits >> shift & 0xffU);
      }
    }
  }

  RecordingOutput output_;
  DenseHeader header_;
  StoredType stored_;
  std::int64_t row_bytes_;
  OutputFile file_;
  std::int64_t rows_in_buffer_;
  std::unique_ptr<std::byte[]> buffer_;
  std::int64_t buffered_rows_ = 0;
  std::vector<std::int64_t> done_;  ///< Frames of each complete segment.
  std::int64_t frames_ = 0;         ///< Of the current one.
};
}  // namespace

std::unique_ptr<RecordingWriter> make_dense_writer(const RecordingOutput& output,
                                                   DenseHeader header,
                                                   std::optional<StoredType> stored) {
  const StoredType type = stored.value_or(stored_as(output.stream.type));
  if (output.resume_from.empty()) {
    check_output(output.path, output.overwrite);
    return std::make_unique<DenseWriter>(output, header, type, 0);
  }
  const SavedWriter saved = decode_saved("dense", output.resume_from);
  auto writer =
      std::make_unique<DenseWriter>(output, header, type, saved.fields.at("bytes").as_integer());
  writer->resume(saved.fields);
  return writer;
}

std::size_t dense_writer_bytes(const RecordingOutput& output) {
  const auto row = static_cast<std::int64_t>(size_of(output.stream.type)) *
                   std::max(output.stream.channel_count(), std::int64_t{1});
  return static_cast<std::size_t>(std::max(std::int64_t{1}, kBufferBytes / row) * row);
}

std::filesystem::path sidecar_path(const std::filesystem::path& path) {
  std::filesystem::path sidecar = path;
  sidecar += ".json";
  return sidecar;
}

}  // namespace weir::formats
