#include "weir/formats/kinds/spikeglx/spikeglx.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/dense_source.h"
#include "weir/formats/frame_time.h"
#include "weir/formats/kinds/spikeglx/spikeglx_channels.h"
#include "weir/formats/kinds/spikeglx/spikeglx_events.h"
#include "weir/formats/recording_document.h"

namespace weir::formats {
namespace {
namespace fs = std::filesystem;
/// The header of 5,120 channels takes 1 MB.
constexpr std::int64_t kMostMetaBytes = std::int64_t{16} << 20;

fs::path with_extension(fs::path path, const char* extension) {
  return path.replace_extension(extension);
}

/// Whether the file is a header of SpikeGLX: other systems call theirs .meta too.
bool is_header(const fs::path& path) {
  std::error_code failure;
  if (!fs::is_regular_file(path, failure)) {
    return false;
  }
  try {
    const auto meta = SpikeglxMeta::parse(read_text_file(path.string(), kMostMetaBytes));
    return meta.find("typeThis") != nullptr && meta.find("nSavedChans") != nullptr;
  } catch (const Error&) {
    return false;
  }
}

Match probe(const fs::path& path, std::span<const std::byte>) {
  const bool named = ends_with_ignoring_case(path.string(), ".meta") ||
                     ends_with_ignoring_case(path.string(), ".bin");
  return named && is_header(with_extension(path, ".meta")) ? Match::certain : Match::no;
}

/// "imec0.ap" of "D:/data/run_g0_t0.imec0.ap.bin": the name the recorder gave, whatever the file is
/// called now.
std::string stream_name(const SpikeglxMeta& meta, const fs::path& bin) {
  const std::string* given = meta.find("fileName");
  std::string name = given != nullptr ? *given : bin.filename().string();
  name = name.substr(name.find_last_of("/\\") + 1);
  if (ends_with_ignoring_case(name, ".bin")) {
    name.resize(name.size() - 4);
  }
  const std::size_t trigger = name.rfind("_t");
  const std::size_t dot = name.find('.', trigger == std::string::npos ? 0 : trigger);
  return dot == std::string::npos ? name : name.substr(dot + 1);
}

/// Whole frames of the file as it is now, whatever size its header tells.
std::int64_t count_frames(const InputFile& file, const SpikeglxMeta& meta, std::int64_t frame_bytes,
                          std::vector<std::string>& warnings) {
  const std::int64_t frames = file.size() / frame_bytes;
  const std::int64_t trailing = file.size() % frame_bytes;
  const auto promised = meta.integer("fileSizeBytes");
  std::string text;
  if (promised && *promised != file.size()) {
    text = fmt::format("holds {} bytes, {} frames, where fileSizeBytes says {}",
                       grouped(file.size()), grouped(frames), grouped(*promised));
  }
  if (trailing > 0) {
    text += fmt::format("{}{} B trailing make no whole frame of {} B and are ignored",
                        text.empty() ? "" : "; ", trailing, frame_bytes);
  }
  if (!text.empty()) {
    warnings.push_back(fmt::format("{}: {}", file.path().string(), text));
  }
  return frames;
}

void keep_metadata(const SpikeglxMeta& meta, const SpikeglxChannels& described,
                   RecordingInfo& info) {
  for (const auto& [key, value] : meta.values()) {
    if (!value.empty()) {
      info.metadata[key] = value;
    }
  }
  if (!described.probe.empty()) {
    info.metadata["probe"] = described.probe;
  }
  if (!described.unused.empty()) {
    info.metadata["unused_channels"] = fmt::format("{}", fmt::join(described.unused, ", "));
  }
}

std::unique_ptr<RecordingSource> open(const fs::path& path, const OpenOptions& options) {
  const fs::path header = with_extension(path, ".meta");
  const bool at_header = ends_with_ignoring_case(path.string(), ".meta");
  InputFile file(at_header ? with_extension(path, ".bin") : path);
  const std::string text = read_text_file(header.string(), kMostMetaBytes);
  RecordingInfo info;
  info.name = file.path().filename().string();
  info.format = "spikeglx";
  reading_document(header.string(), [&] {
    const auto meta = SpikeglxMeta::parse(text);
    const std::string rate_key = spikeglx_rate_key(meta);
    const double rate_hz = meta.positive(rate_key);
    info.rate = in_context(rate_key, [&] { return SampleRate::from_hz(rate_hz); });
    auto described = read_spikeglx_channels(meta, info.warnings);
    info.channels = std::move(described.channels);
    for (auto& warning : info.warnings) {
      warning = fmt::format("{}: {}", header.string(), warning);
    }
    keep_metadata(meta, described, info);
    const std::string stream = stream_name(meta, file.path());
    if (!options.stream.empty() && options.stream != stream) {
      throw Error(ErrorCode::not_found,
                  fmt::format("stream: no \"{}\"; this file holds {}", options.stream, stream));
    }
    info.metadata["stream"] = stream;
    const std::string* created = meta.find("fileCreateTime_original");
    created = created != nullptr ? created : meta.find("fileCreateTime");
    info.start_time = created != nullptr ? *created : "";
    const std::int64_t first = meta.integer("firstSample").value_or(0);
    info.segments = {Segment{
        .frames = count_frames(file, meta, 2 * info.channel_count(), info.warnings),
        .start_s = in_context("firstSample", [&] { return frame_time(first, info.rate); })}};
  });
  const std::int64_t end = 2 * info.channel_count() * info.segments.front().frames;
  return make_dense_source(std::move(file), {.end_byte = end}, std::move(info));
}
}  // namespace

const Format& spikeglx_format() {
  static const Format kFormat{
      .name = "spikeglx",
      .summary = "SpikeGLX recordings (.bin with .meta): imec probes, NI-DAQ, OneBox (read)",
      .extensions = {".meta"},
      .probe = &probe,
      .open = &open,
      .create = nullptr,
      .create_events = nullptr,
      .writer_bytes = nullptr,
      .list_events = &list_spikeglx_events,
      .open_events = &open_spikeglx_events,
  };
  return kFormat;
}

}  // namespace weir::formats
