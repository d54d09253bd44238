#include "weir/formats/kinds/wav/wav.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/dense_source.h"
#include "weir/formats/dense_writer.h"
#include "weir/formats/json.h"
#include "weir/formats/kinds/wav/wav_header.h"
#include "weir/formats/recording_document.h"
#include "weir/formats/stored_samples.h"

namespace weir::formats {
namespace {
namespace fs = std::filesystem;

Match probe(const fs::path& path, std::span<const std::byte> head) {
  const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
  const bool riff =
      text.starts_with("RIFF") || text.starts_with("RF64") || text.starts_with("BW64");
  if (riff && text.size() >= 12 && text.substr(8, 4) == "WAVE") {
    return Match::certain;
  }
  return ends_with_ignoring_case(path.string(), ".wav") ? Match::by_name : Match::no;
}

/// Rate, channels and segments from the sidecar, checked against the file.
void describe_by(RecordingDocument document, const WavHeader& header, RecordingInfo& info) {
  info.segments = std::move(document.segments);
  if (std::ssize(document.channels) != header.channels || document.stored != header.type ||
      info.total_frames() != header.frames) {
    throw Error(
        ErrorCode::corrupt_data,
        fmt::format("describes {} frames of {} channels of {}, but the file holds {} of {} "
                    "of {}",
                    grouped(info.total_frames()), document.channels.size(), name(document.stored),
                    grouped(header.frames), header.channels, name(header.type)));
  }
  info.rate = document.rate;
  info.axis = document.axis;
  info.channels = std::move(document.channels);
  info.start_time = std::move(document.start_time);
}

std::unique_ptr<RecordingSource> open(const fs::path& path, const OpenOptions&) {
  InputFile file(path);
  const WavHeader header = in_context(path.string(), [&] { return read_wav_header(file); });
  RecordingInfo info;
  info.name = path.filename().string();
  info.format = "wav";
  info.stored = header.type;
  for (const auto& warning : header.warnings) {
    info.warnings.push_back(fmt::format("{}: {}", path.string(), warning));
  }
  const fs::path sidecar = sidecar_path(path);
  if (stands_at(sidecar)) {
    const std::string text = read_text_file(sidecar.string());
    const Value json = in_context(sidecar.string(), [&] { return parse_json(text); });
    auto document = from_document(json, "weir_raw", sidecar.string());
    in_context(sidecar.string(), [&] { describe_by(std::move(document), header, info); });
  } else {
    info.rate = SampleRate(Rational(header.rate_hz));
    info.channels = make_channels(header.channels, wav_gain(header.type), wav_offset(header.type));
    info.segments = {Segment{.frames = header.frames, .start_s = {}}};
  }
  // Chunks may follow the samples: not bytes too many.
  const std::int64_t frame_bytes = stored_bytes(header.type) * header.channels;
  const std::int64_t room =
      std::max(std::int64_t{0}, file.size() - header.first_byte) / frame_bytes;
  const std::int64_t end =
      header.frames <= room ? header.first_byte + header.frames * frame_bytes : file.size();
  return make_dense_source(std::move(file), {.first_byte = header.first_byte, .end_byte = end},
                           std::move(info));
}

/// The header holds whole numbers; the sidecar has the rate itself.
std::int64_t whole_rate(const StreamInfo& stream) {
  return std::clamp(std::llround(stream.rate.hz()), 1LL, 0xffffffffLL);
}

/// Sound of 24 bits is written as such; programs take the bits of a file for full scale.
StoredType stored_in_wav(const RecordingOutput& output) {
  return output.stream.type == SampleType::int32 && output.count_bits == 24
             ? StoredType::int24
             : stored_as(output.stream.type);
}

std::vector<std::byte> header_of(const RecordingOutput& output, std::int64_t frames) {
  return make_wav_header(stored_in_wav(output), output.stream.channel_count(),
                         whole_rate(output.stream), frames);
}

std::unique_ptr<RecordingWriter> create(const RecordingOutput& output) {
  if (output.stream.axis != Axis::time_s) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("{}: a WAV runs along time, these rows along {}; use another format",
                            output.path.string(), name(output.stream.axis)));
  }
  in_context(output.path.string(), [&] { header_of(output, 0); });
  return make_dense_writer(output, &header_of, stored_in_wav(output));
}
}  // namespace

const Format& wav_format() {
  static const Format kFormat{
      .name = "wav",
      .summary = "WAV of 8 to 32 bits or floats, RF64 and BW64, with our sidecar if there is one",
      .extensions = {".wav"},
      .probe = &probe,
      .open = &open,
      .create = &create,
      .create_events = nullptr,
      .writer_bytes = &dense_writer_bytes,
  };
  return kFormat;
}

}  // namespace weir::formats
