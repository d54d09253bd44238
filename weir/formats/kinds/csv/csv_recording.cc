#include "weir/formats/kinds/csv/csv_recording.h"

#include <fmt/format.h>

#include <iterator>

#include "weir/core/error.h"
#include "weir/formats/dense_writer.h"
#include "weir/formats/json.h"
#include "weir/formats/kinds/csv/csv.h"
#include "weir/formats/output_file.h"
#include "weir/formats/recording_document.h"
#include "weir/formats/saved_writer.h"

namespace weir::formats {
namespace {
constexpr std::size_t kBufferBytes = std::size_t{1} << 20;
constexpr std::size_t kLongestNumber = 24;

/// Where a row stands. The wider type keeps the sum of two ratios from being rounded twice.
double place_of(const StreamInfo& stream, const Segment& segment, std::int64_t row) {
  if (stream.axis != Axis::time_s) {
    return stream.rate.seconds(row);
  }
  const Rational& hz = stream.rate.exact();
  return static_cast<double>(static_cast<long double>(segment.start_s.numerator()) /
                                 segment.start_s.denominator() +
                             static_cast<long double>(row) * hz.denominator() / hz.numerator());
}

bool names_segments(const StreamInfo& stream) {
  return stream.axis != Axis::time_s && stream.segments.size() > 1;
}

std::string header_of(const StreamInfo& stream) {
  std::string text(name(stream.axis));
  text += names_segments(stream) ? ",segment" : "";
  for (const auto& channel : stream.channels) {
    text += ',' + csv_quoted(channel.name);
  }
  return text + "\r\n";
}

class CsvRecordingWriter final : public RecordingWriter {
 public:
  CsvRecordingWriter(const RecordingOutput& output, std::int64_t kept)
      : output_(output), file_(output.path, kept) {
    if (kept == 0) {
      text_ = header_of(output_.stream);
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
    for (std::int64_t row = 0; row < rows.frames(); ++row) {
      append_row(rows.slice(row, 1));
      ++frames_;
      if (text_.size() >= kBufferBytes) {
        flush();
      }
    }
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
    return encode_saved("csv recording", {std::move(fields), {}});
  }

  void keep_partial() noexcept override { file_.keep(); }

  void commit(const std::string& provenance) override {
    flush();
    if (frames_ > 0) {
      end_segment();
    }
    done_.resize(output_.stream.segments.size(), 0);  // Segments without a row.
    file_.close();
    const Value document = to_document("weir_csv", output_.stream, done_, output_.start_time);
    commit_partial(output_.path, sidecar_path(output_.path), to_json(document, 1) + "\n",
                   provenance, output_.overwrite);
  }

  std::int64_t bytes_written() const noexcept override {
    return file_.size() + static_cast<std::int64_t>(text_.size());
  }

 private:
  void append_row(AnyBlock row) {
    const Segment& segment = output_.stream.segments[done_.size()];
    auto to = std::back_inserter(text_);
    fmt::format_to(to, "{}", place_of(output_.stream, segment, frames_));
    if (names_segments(output_.stream)) {
      fmt::format_to(to, ",{}", segment.index);
    }
    for (std::int64_t c = 0; c < row.channels(); ++c) {
      fmt::format_to(to, ",{}", physical(row, c));
    }
    text_ += "\r\n";
  }

  float physical(AnyBlock row, std::int64_t channel) const {
    if (row.type() == SampleType::float32) {
      return row.as<float>()(0, channel);
    }
    const Channel& scale = output_.stream.channels[static_cast<std::size_t>(channel)];
    const double count = row.type() == SampleType::int16 ? row.as<std::int16_t>()(0, channel)
                                                         : row.as<std::int32_t>()(0, channel);
    return static_cast<float>(count * scale.gain + scale.offset);
  }

  void flush() {
    file_.write(std::as_bytes(std::span(text_)));
    text_.clear();
  }

  RecordingOutput output_;
  OutputFile file_;
  std::string text_;
  std::vector<std::int64_t> done_;  ///< Rows of each complete segment.
  std::int64_t frames_ = 0;         ///< Of the current one.
};
}  // namespace

std::unique_ptr<RecordingWriter> make_csv_recording_writer(const RecordingOutput& output) {
  if (output.resume_from.empty()) {
    check_output(output.path, output.overwrite);
    return std::make_unique<CsvRecordingWriter>(output, 0);
  }
  const SavedWriter saved = decode_saved("csv recording", output.resume_from);
  auto writer = std::make_unique<CsvRecordingWriter>(output, saved.fields.at("bytes").as_integer());
  writer->resume(saved.fields);
  return writer;
}

std::size_t csv_recording_bytes(const RecordingOutput& output) {
  const auto cells = static_cast<std::size_t>(output.stream.channel_count() + 2);
  return 2 * (kBufferBytes + cells * kLongestNumber);  // A string grows by doubling.
}

}  // namespace weir::formats
