#include "weir/formats/kinds/spikeglx/spikeglx.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/dense_source.h"
#include "weir/formats/frame_time.h"
#include "weir/formats/kinds/mtscomp/mtscomp.h"
#include "weir/formats/kinds/spikeglx/spikeglx_catgt.h"
#include "weir/formats/kinds/spikeglx/spikeglx_channels.h"
#include "weir/formats/kinds/spikeglx/spikeglx_events.h"
#include "weir/formats/kinds/spikeglx/spikeglx_run.h"
#include "weir/formats/recording_document.h"
#include "weir/formats/segment_sources.h"

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

/// The samples that belong to a header: as they were written, else compressed.
fs::path data_path(const fs::path& header) {
  const fs::path plain = with_extension(header, ".bin");
  const fs::path compressed = with_extension(header, ".cbin");
  return !stands_at(plain) && stands_at(compressed) ? compressed : plain;
}

bool names_a_file(const fs::path& path) {
  constexpr std::array<std::string_view, 4> kEndings{".meta", ".bin", ".cbin", ".ch"};
  return std::any_of(kEndings.begin(), kEndings.end(), [&](std::string_view ending) {
    return ends_with_ignoring_case(path.string(), ending);
  });
}

Match probe(const fs::path& path, std::span<const std::byte>) {
  if (names_a_file(path)) {
    return is_header(with_extension(path, ".meta")) ? Match::certain : Match::no;
  }
  const auto files = find_spikeglx_files(path);
  return !files.empty() && is_header(with_extension(files.front().path, ".meta")) ? Match::certain
                                                                                  : Match::no;
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

/// The number of the first frame on the clock of the run.
std::int64_t meta_first(const RecordingInfo& info) {
  const auto found = info.metadata.find("firstSample");
  return found == info.metadata.end() ? 0 : parse_integer(found->second);
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

/// A file: what it holds, and a source for each of its segments.
struct Opened {
  RecordingInfo info;
  std::vector<std::unique_ptr<RecordingSource>> pieces;
  std::int64_t clock_end = 0;  ///< The sample behind its last, as `firstSample` counts.
};

/// The stretches of a joined file between the zeros that fill its gaps.
std::vector<std::unique_ptr<RecordingSource>> open_between(const fs::path& data,
                                                           const std::vector<CatgtGap>& gaps,
                                                           std::int64_t first,
                                                           RecordingInfo& info) {
  const std::int64_t frame_bytes = 2 * info.channel_count();
  const std::int64_t frames = info.segments.at(0).frames;
  std::vector<std::unique_ptr<RecordingSource>> pieces;
  std::vector<Segment> segments;
  std::int64_t begin = 0;
  std::int64_t late = 0;
  for (std::size_t i = 0; i <= gaps.size(); ++i) {
    const std::int64_t end = i < gaps.size() ? gaps[i].start : frames;
    if (end > begin || (pieces.empty() && i == gaps.size())) {
      RecordingInfo one = info;  // With the warnings, should it be the only one.
      one.segments = {
          Segment{.frames = end - begin, .start_s = frame_time(first + begin + late, info.rate)}};
      segments.push_back(one.segments.front());
      segments.back().index = std::ssize(segments) - 1;
      pieces.push_back(make_dense_source(
          InputFile(data), {.first_byte = frame_bytes * begin, .end_byte = frame_bytes * end},
          std::move(one)));
    }
    if (i < gaps.size()) {
      begin = end + gaps[i].zeros;
      late += gaps[i].frames - gaps[i].zeros;
    }
  }
  info.segments = std::move(segments);
  return pieces;
}

/// Whole frames of the file as it is now; a compressed one tells them itself.
Opened open_samples(const fs::path& data, const SpikeglxMeta& meta, RecordingInfo info) {
  const std::int64_t first = meta.integer("firstSample").value_or(0);
  Opened opened;
  if (data.extension() == ".cbin") {
    opened.pieces.push_back(open_compressed(data, std::move(info)));
    opened.info = opened.pieces.front()->info();
    opened.clock_end = first + opened.info.total_frames();
    return opened;
  }
  InputFile file(data);
  const std::int64_t frame_bytes = 2 * info.channel_count();
  const std::int64_t frames = count_frames(file, meta, frame_bytes, info.warnings);
  info.segments.front().frames = frames;
  opened.clock_end = first + frames;
  const auto gaps = read_catgt_gaps(meta, data, frames, info.warnings);
  for (const auto& gap : gaps) {
    opened.clock_end += gap.frames - gap.zeros;
  }
  opened.info = info;
  if (gaps.empty()) {
    opened.pieces.push_back(
        make_dense_source(std::move(file), {.end_byte = frame_bytes * frames}, std::move(info)));
  } else {
    opened.pieces = open_between(data, gaps, first, opened.info);
  }
  return opened;
}

Opened open_pieces(const fs::path& data, const std::string& stream) {
  const fs::path header = with_extension(data, ".meta");
  const std::string text = read_text_file(header.string(), kMostMetaBytes);
  RecordingInfo info;
  info.name = data.filename().string();
  info.format = "spikeglx";
  const auto meta = reading_document(header.string(), [&] {
    auto parsed = SpikeglxMeta::parse(text);
    const std::string rate_key = spikeglx_rate_key(parsed);
    const double rate_hz = parsed.positive(rate_key);
    info.rate = in_context(rate_key, [&] { return SampleRate::from_hz(rate_hz); });
    auto described = read_spikeglx_channels(parsed, info.warnings);
    info.channels = std::move(described.channels);
    for (auto& warning : info.warnings) {
      warning = fmt::format("{}: {}", header.string(), warning);
    }
    keep_metadata(parsed, described, info);
    const std::string found = stream_name(parsed, data);
    if (!stream.empty() && stream != found) {
      throw Error(ErrorCode::not_found,
                  fmt::format("stream: no \"{}\"; this file holds {}", stream, found));
    }
    info.metadata["stream"] = found;
    const std::string* created = parsed.find("fileCreateTime_original");
    created = created != nullptr ? created : parsed.find("fileCreateTime");
    info.start_time = created != nullptr ? *created : "";
    const std::int64_t first = parsed.integer("firstSample").value_or(0);
    info.segments = {Segment{.frames = 0, .start_s = in_context("firstSample", [&] {
                                            return frame_time(first, info.rate);
                                          })}};
    return parsed;
  });
  return open_samples(data, meta, std::move(info));
}

std::unique_ptr<RecordingSource> open_file(const fs::path& data, const std::string& stream) {
  Opened opened = open_pieces(data, stream);
  return opened.pieces.size() == 1
             ? std::move(opened.pieces.front())
             : make_segment_sources(std::move(opened.pieces), std::move(opened.info));
}

void require_same(const RecordingInfo& info, const RecordingInfo& first, const fs::path& path,
                  const fs::path& first_path) {
  const char* what = info.channels != first.channels ? "channels"
                     : info.rate != first.rate       ? "rate"
                     : info.stored != first.stored   ? "type"
                                                     : nullptr;
  if (what != nullptr) {
    throw Error(ErrorCode::corrupt_data,
                fmt::format("{}: its {} differ from {}", path.string(), what, first_path.string()));
  }
}

/// The files of one stream of a run, one segment each, on the clock that `firstSample` counts.
std::unique_ptr<RecordingSource> open_run(const fs::path& path, const OpenOptions& options) {
  std::vector<std::string> told;
  const auto files = choose_spikeglx_stream(find_spikeglx_files(path), options.stream, path, told);
  std::vector<std::unique_ptr<RecordingSource>> sources;
  RecordingInfo info;
  std::int64_t clock_end = 0;
  for (const auto& file : files) {
    Opened opened = open_pieces(file.path, "");
    const RecordingInfo& part = opened.info;
    told.insert(told.end(), part.warnings.begin(), part.warnings.end());
    if (sources.empty()) {
      info = part;
      info.segments.clear();
      info.name = (path.has_filename() ? path : path.parent_path()).filename().string();
    } else {
      require_same(part, info, file.path, files.front().path);
      if (const std::int64_t first = meta_first(part); first < clock_end) {
        told.push_back(fmt::format("{}: starts {} samples before the file in front of it ends",
                                   file.path.string(), grouped(clock_end - first)));
      }
    }
    clock_end = opened.clock_end;
    for (std::size_t i = 0; i < opened.pieces.size(); ++i) {
      info.segments.push_back(part.segments.at(i));
      info.segments.back().index = std::ssize(info.segments) - 1;
      sources.push_back(std::move(opened.pieces[i]));
    }
  }
  info.warnings = std::move(told);
  return make_segment_sources(std::move(sources), std::move(info));
}

std::unique_ptr<RecordingSource> open(const fs::path& path, const OpenOptions& options) {
  std::error_code failure;
  if (fs::is_directory(path, failure) || (!stands_at(path) && !names_a_file(path))) {
    if (find_spikeglx_files(path).empty()) {
      throw Error(ErrorCode::not_found,
                  fmt::format("{}: no files run_g0_t0.….bin with their .meta", path.string()));
    }
    return open_run(path, options);
  }
  const bool samples = ends_with_ignoring_case(path.string(), ".bin") ||
                       ends_with_ignoring_case(path.string(), ".cbin");
  return open_file(samples ? path : data_path(with_extension(path, ".meta")), options.stream);
}
}  // namespace

const Format& spikeglx_format() {
  static const Format kFormat{
      .name = "spikeglx",
      .summary =
          "SpikeGLX recordings (.bin or .cbin with .meta) and run folders: imec, NI-DAQ, OneBox "
          "(read)",
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
