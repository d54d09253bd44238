#include "weir/formats/kinds/edf/edf_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/dense_writer.h"
#include "weir/formats/json.h"
#include "weir/formats/kinds/edf/edf_output.h"
#include "weir/formats/output_file.h"
#include "weir/formats/recording_document.h"
#include "weir/formats/saved_writer.h"

namespace weir::formats {
namespace {
/// The count nearest to 0 physical.
std::int32_t rest_of(const Channel& channel, SampleType type) {
  const double half = type == SampleType::int16 ? 0x1p15 : 0x1p23;
  const double count = std::round(-channel.offset / channel.gain);
  return static_cast<std::int32_t>(std::clamp(std::isfinite(count) ? count : 0, -half, half - 1));
}

class EdfWriter final : public RecordingWriter {
 public:
  EdfWriter(const RecordingOutput& output, std::int64_t kept)
      : output_(output),
        plan_(plan_edf(output)),
        file_(output.path, kept),
        counts_(static_cast<std::size_t>(output.stream.channel_count() * plan_.samples)) {
    if (kept == 0) {
      write_text(edf_header_text(plan_, output.stream, -1));
    }
  }

  void resume(const SavedWriter& saved) {
    done_ = to_integers(saved.fields.at("segments"));
    frames_ = saved.fields.at("frames").as_integer();
    records_ = saved.fields.at("records").as_integer();
    next_list_ = static_cast<std::size_t>(saved.fields.at("lists").as_integer());
    const std::int64_t filled = filled_frames();
    const auto channels = output_.stream.channel_count();
    if (frames_ < 0 || std::ssize(saved.pending) != filled * channels * kCountBytes ||
        done_.size() > output_.stream.segments.size() || next_list_ > plan_.lists.size()) {
      throw Error(ErrorCode::corrupt_data, "checkpoint: the EDF writer's part is cut short");
    }
    for (std::int64_t c = 0; c < channels; ++c) {
      std::copy_n(saved.pending.data() + kCountBytes * c * filled, kCountBytes * filled,
                  reinterpret_cast<std::byte*>(plane(c)));
    }
  }

  void append(AnyBlock rows) override {
    WEIR_CHECK(rows.type() == output_.stream.type &&
               rows.channels() == output_.stream.channel_count());
    WEIR_CHECK(done_.size() < output_.stream.segments.size());
    for (std::int64_t f = 0; f < rows.frames();) {
      const std::int64_t count = std::min(rows.frames() - f, plan_.samples - filled_frames());
      rows.type() == SampleType::int16 ? take(rows.slice(f, count).as<std::int16_t>())
                                       : take(rows.slice(f, count).as<std::int32_t>());
      f += count;
      frames_ += count;
      if (filled_frames() == 0) {
        write_record({});
      }
    }
  }

  void end_segment() override {
    WEIR_CHECK(done_.size() < output_.stream.segments.size());
    if (const std::int64_t filled = filled_frames(); filled > 0) {
      for (std::int64_t c = 0; c < output_.stream.channel_count(); ++c) {
        std::fill(
            plane(c) + filled, plane(c) + plan_.samples,
            rest_of(output_.stream.channels[static_cast<std::size_t>(c)], output_.stream.type));
      }
      const Rational end = segment_start() + Rational(frames_) / output_.stream.rate.exact();
      write_record(edf_seconds(end) +
                   "\x14"
                   "filled up from here on"
                   "\x14" +
                   '\0');
    }
    done_.push_back(frames_);
    frames_ = 0;
  }

  std::vector<std::byte> save() override {
    SavedWriter saved;
    saved.fields.set("bytes", file_.size());
    saved.fields.set("segments", to_value(done_));
    saved.fields.set("frames", frames_);
    saved.fields.set("records", records_);
    saved.fields.set("lists", static_cast<std::int64_t>(next_list_));
    for (std::int64_t c = 0; c < output_.stream.channel_count(); ++c) {
      const auto part =
          std::as_bytes(std::span(plane(c), static_cast<std::size_t>(filled_frames())));
      saved.pending.insert(saved.pending.end(), part.begin(), part.end());
    }
    return encode_saved("edf", saved);
  }

  void keep_partial() noexcept override { file_.keep(); }

  void commit(const std::string& provenance) override {
    if (frames_ > 0) {
      end_segment();
    }
    done_.resize(output_.stream.segments.size(), 0);
    const Value document = to_document("weir_raw", output_.stream, done_, output_.start_time);
    const std::string header = edf_header_text(plan_, output_.stream, records_);
    file_.rewrite(0, std::as_bytes(std::span(header)));
    file_.close();
    commit_partial(output_.path, sidecar_path(output_.path), to_json(document, 1) + "\n",
                   provenance, output_.overwrite);
  }

  std::int64_t bytes_written() const noexcept override { return file_.size(); }

 private:
  static constexpr std::int64_t kCountBytes = sizeof(std::int32_t);

  template <class T>
  void take(Block<T> rows) {
    const std::int64_t filled = filled_frames();
    for (std::int64_t c = 0; c < rows.channels(); ++c) {
      std::int32_t* to = plane(c) + filled;
      for (std::int64_t i = 0; i < rows.frames(); ++i) {
        to[i] = rows(i, c);
      }
    }
  }

  std::int64_t filled_frames() const noexcept { return frames_ % plan_.samples; }
  std::int32_t* plane(std::int64_t channel) noexcept {
    return counts_.data() + channel * plan_.samples;
  }
  /// Of the current segment, in seconds since the header's start.
  Rational segment_start() const {
    return output_.stream.segments[done_.size()].start_s + plan_.shift_s;
  }

  void write_text(std::string_view text) { file_.write(std::as_bytes(std::span(text))); }

  void write_record(const std::string& annotation) {
    constexpr std::int64_t kMostRecords = 99'999'999;
    const std::int64_t before = (frames_ - 1) / plan_.samples;
    if (records_ == kMostRecords) {
      throw Error(ErrorCode::unsupported, fmt::format("{}: more than {} data records",
                                                      output_.path.string(), kMostRecords));
    }
    write_counts();
    const Rational onset = segment_start() + Rational(before) * plan_.record_s;
    std::string text = edf_seconds(onset) + "\x14\x14" + '\0' + annotation + due_lists(onset);
    const auto room = static_cast<std::size_t>(plan_.annotation_samples() * plan_.sample_bytes());
    WEIR_CHECK(text.size() <= room);
    text.resize(room, '\0');
    write_text(text);
    ++records_;
  }

  /// The annotations that the record which begins at `onset` takes.
  std::string due_lists(const Rational& onset) {
    const bool last = is_last_record();
    const std::size_t count = lists_in_record(
        plan_, next_list_, last ? std::nullopt : std::optional(onset + plan_.record_s));
    std::string text;
    for (std::size_t i = 0; i < count; ++i) {
      text += plan_.lists[next_list_++];
    }
    return text;
  }

  /// Whether the record that ends with `frames_` is the file's last.
  bool is_last_record() const {
    const auto& segments = output_.stream.segments;
    const auto rest = segments.begin() + std::ssize(done_) + 1;
    return frames_ == segments[done_.size()].frames &&
           std::all_of(rest, segments.end(), [](const Segment& s) { return s.frames == 0; });
  }

  /// Errors: `unsupported` for a count that the file's bytes do not hold.
  void write_counts() {
    const std::int32_t half = plan_.bdf ? 1 << 23 : 1 << 15;
    bytes_.clear();
    for (const std::int32_t count : counts_) {
      if (count < -half || count >= half) {
        throw Error(ErrorCode::unsupported,
                    fmt::format("{}: the count {} has more than the 24 bits of BDF: write with "
                                "dtype = \"int16\" and a gain, or in another format",
                                output_.path.string(), count));
      }
      for (std::int64_t byte = 0; byte < plan_.sample_bytes(); ++byte) {
        bytes_.push_back(
            static_cast<std::byte>(static_cast<std::uint32_t>(count) >> (8 * byte) & 0xffU));
      }
    }
    file_.write(bytes_);
  }

  RecordingOutput output_;
  EdfOutput plan_;
  OutputFile file_;
  std::vector<std::byte> bytes_;      ///< Of the record that is written.
  std::vector<std::int32_t> counts_;  ///< Of the current record, channel after channel.
  std::vector<std::int64_t> done_;    ///< Frames of each complete segment.
  std::int64_t frames_ = 0;           ///< Of the current one.
  std::int64_t records_ = 0;          ///< Written.
  std::size_t next_list_ = 0;         ///< The annotation that comes next.
};
}  // namespace

std::unique_ptr<RecordingWriter> make_edf_writer(const RecordingOutput& output) {
  return in_context(output.path.string(), [&]() -> std::unique_ptr<RecordingWriter> {
    plan_edf(output);
    if (output.resume_from.empty()) {
      check_output(output.path, output.overwrite);
      return std::make_unique<EdfWriter>(output, 0);
    }
    const SavedWriter saved = decode_saved("edf", output.resume_from);
    auto writer = std::make_unique<EdfWriter>(output, saved.fields.at("bytes").as_integer());
    writer->resume(saved);
    return writer;
  });
}

std::size_t edf_writer_bytes(const RecordingOutput& output) {
  const EdfOutput plan = in_context(output.path.string(), [&] { return plan_edf(output); });
  std::size_t lists = 0;
  for (const auto& list : plan.lists) {
    lists += 2 * (list.size() + sizeof(std::string) + sizeof(Annotation));
  }
  return lists +
         static_cast<std::size_t>(output.stream.channel_count() * plan.samples *
                                  (plan.sample_bytes() + std::int64_t{sizeof(std::int32_t)}));
}

void describe_by_sidecar(const std::filesystem::path& path, const EdfHeader& header,
                         std::int64_t records, const std::vector<std::string>& damage,
                         RecordingInfo& info, RecordLayout& layout) {
  const auto sidecar = sidecar_path(path);
  if (!stands_at(sidecar)) {
    return;
  }
  const std::string text = read_text_file(sidecar.string());
  const Value json = in_context(sidecar.string(), [&] { return parse_json(text); });
  RecordingDocument document = from_document(json, "weir_raw", sidecar.string());
  std::vector<std::int64_t> first_frames;
  std::int64_t used = 0;
  for (const auto& segment : document.segments) {
    first_frames.push_back(used * layout.samples);
    used += segment.frames / layout.samples + (segment.frames % layout.samples == 0 ? 0 : 1);
  }
  const bool alone = info.channel_count() + 1 == std::ssize(header.signals);
  if (!alone || std::ssize(document.channels) != info.channel_count() || used != records ||
      SampleRate(Rational(layout.samples) / header.record_s) != document.rate) {
    throw Error(ErrorCode::corrupt_data,
                fmt::format("{}: describes {} channels in {} data records at {}, but the file "
                            "holds {} in {} at {}",
                            sidecar.string(), document.channels.size(), used, document.rate.text(),
                            info.channel_count(), records, info.rate.text()));
  }
  info.rate = document.rate;
  info.channels = std::move(document.channels);
  info.segments = std::move(document.segments);
  info.start_time = std::move(document.start_time);
  info.warnings = damage;
  layout.first_frames = std::move(first_frames);
}

}  // namespace weir::formats
