#include "weir/formats/kinds/intan/intan_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/channel_sources.h"
#include "weir/formats/dense_source.h"
#include "weir/formats/kinds/intan/intan_clock.h"
#include "weir/formats/recording_document.h"

namespace weir::formats {
namespace {
namespace fs = std::filesystem;

/// "amp-A-000.dat" of channel A-000; empty for kinds that have no file a channel.
fs::path channel_file(const fs::path& folder, const IntanStream& stream, std::string name) {
  static const std::map<std::string, const char*, std::less<>> kPrefixes{
      {"amplifier", "amp-"},   {"auxiliary", "aux-"},  {"supply", "vdd-"}, {"analogin", "board-"},
      {"analogout", "board-"}, {"dcamplifier", "dc-"}, {"stim", "stim-"}};
  const auto prefix = kPrefixes.find(stream.name);
  if (prefix == kPrefixes.end() || name.find_first_of(std::string_view("/\\\0", 3)) != name.npos) {
    return {};
  }
  for (const std::string_view ending : {"_DC", "_STIM"}) {
    name.resize(name.size() - (name.ends_with(ending) ? ending.size() : 0));
  }
  return folder / fmt::format("{}{}.dat", prefix->second, name);
}

fs::path stream_file(const fs::path& folder, const IntanStream& stream) {
  return folder / (stream.name + ".dat");
}

/// Amplifier samples of these files are signed: their zero is the count 0.
void make_signed(IntanStream& stream) {
  if (stream.name == "amplifier") {
    stream.type = StoredType::int16;
    for (auto& channel : stream.channels) {
      channel.offset = 0;
    }
  }
}

/// The time stamps of every frame at the amplifiers' rate: time.dat.
class TimeFile {
 public:
  explicit TimeFile(const fs::path& folder) {
    if (stands_at(folder / "time.dat")) {
      file_.emplace(folder / "time.dat");
    }
  }
  bool there() const noexcept { return file_.has_value(); }
  std::int64_t stamps() const noexcept { return file_ ? file_->size() / 4 : 0; }
  void read(std::int64_t first, std::span<std::int64_t> numbers) const {
    std::vector<std::int32_t> stamps(numbers.size());
    file_->read(4 * first, std::as_writable_bytes(std::span(stamps)));
    std::copy(stamps.begin(), stamps.end(), numbers.begin());
  }

 private:
  std::optional<InputFile> file_;
};

/// Channels sampled more slowly may have been written at their own rate or at the amplifiers'.
Rational share_of(const IntanHeader& header, const IntanStream& stream, std::int64_t frames,
                  std::int64_t stamps) {
  const Rational own(stream.block_samples, header.block_frames);
  return frames <= own.ceil_times(stamps) ? own : Rational(1);
}

IntanSegments find_segments(const fs::path& folder, const IntanHeader& header, IntanStream& stream,
                            std::int64_t frames, RecordingInfo& info) {
  const TimeFile time(folder);
  if (!time.there()) {
    info.warnings.push_back(fmt::format(
        "{}: has no time.dat: starts at 0 s, and gaps cannot be seen", folder.string()));
    return {{Segment{.frames = frames, .start_s = {}}}, {0}};
  }
  const Rational share = share_of(header, stream, frames, time.stamps());
  stream.rate = SampleRate(header.rate.exact() * share);
  const std::int64_t expected = share.ceil_times(time.stamps());
  if (expected != frames) {
    info.warnings.push_back(fmt::format("{}: {} frames of {}, but time.dat has stamps for {}",
                                        folder.string(), grouped(frames), stream.name,
                                        grouped(expected)));
  }
  return intan_segments(
      time.stamps(), [&](std::int64_t first, std::span<std::int64_t> to) { time.read(first, to); },
      header.rate, frames, share, info.warnings);
}

/// One file for all channels.
std::unique_ptr<RecordingSource> open_whole(const fs::path& folder, const IntanHeader& header,
                                            IntanStream stream, RecordingInfo info) {
  InputFile file(stream_file(folder, stream));
  const std::int64_t row = 2 * std::ssize(stream.channels);
  const std::int64_t frames = file.size() / row;
  if (file.size() % row != 0) {
    info.warnings.push_back(fmt::format(
        "{}: holds {} bytes, {} frames of {} B; the {} B trailing "
        "are ignored",
        file.path().string(), grouped(file.size()), grouped(frames), row, file.size() % row));
  }
  info.segments = find_segments(folder, header, stream, frames, info).segments;
  info.rate = stream.rate;
  info.channels = std::move(stream.channels);
  info.stored = stream.type;
  return make_dense_source(std::move(file), {.end_byte = frames * row}, std::move(info));
}

/// The channels that have a file; the others are told.
std::vector<fs::path> keep_present(const fs::path& folder, IntanStream& stream,
                                   RecordingInfo& info) {
  std::vector<fs::path> files;
  std::vector<Channel> present;
  for (const auto& channel : stream.channels) {
    const fs::path path = channel_file(folder, stream, channel.name);
    if (!path.empty() && stands_at(path)) {
      files.push_back(path);
      present.push_back(channel);
    }
  }
  if (present.size() < stream.channels.size()) {
    info.warnings.push_back(fmt::format("{}: {} of {} channels of {} have no file", folder.string(),
                                        stream.channels.size() - present.size(),
                                        stream.channels.size(), stream.name));
  }
  stream.channels = std::move(present);
  return files;
}

/// One file a channel.
std::unique_ptr<RecordingSource> open_channels(const fs::path& folder, const IntanHeader& header,
                                               IntanStream stream, RecordingInfo info) {
  const auto paths = keep_present(folder, stream, info);
  if (paths.empty()) {
    throw Error(ErrorCode::not_found,
                fmt::format("{}: no samples of {}", folder.string(), stream.name));
  }
  std::vector<InputFile> files;
  std::int64_t least = INT64_MAX;
  std::int64_t most = 0;
  for (const auto& path : paths) {
    files.emplace_back(path);
    least = std::min(least, files.back().size() / 2);
    most = std::max(most, files.back().size() / 2);
  }
  if (least < most) {
    info.warnings.push_back(
        fmt::format("{}: files of {} hold {} to {} frames; read to the shortest", folder.string(),
                    stream.name, grouped(least), grouped(most)));
  }
  info.segments = find_segments(folder, header, stream, least, info).segments;
  info.rate = stream.rate;
  info.channels = stream.channels;
  info.stored = stream.type;
  std::vector<std::unique_ptr<RecordingSource>> sources;
  for (std::size_t i = 0; i < files.size(); ++i) {
    RecordingInfo one = info;
    one.channels = {info.channels[i]};
    one.warnings.clear();
    sources.push_back(
        make_dense_source(std::move(files[i]), {.end_byte = 2 * least}, std::move(one)));
  }
  return make_channel_sources(std::move(sources), std::move(info));
}
}  // namespace

bool has_intan_stream(const fs::path& folder, const IntanStream& stream) {
  return stands_at(stream_file(folder, stream)) ||
         std::any_of(stream.channels.begin(), stream.channels.end(), [&](const Channel& channel) {
           const fs::path path = channel_file(folder, stream, channel.name);
           return !path.empty() && stands_at(path);
         });
}

std::unique_ptr<RecordingSource> open_intan_folder(const fs::path& folder,
                                                   const IntanHeader& header, IntanStream stream,
                                                   RecordingInfo info) {
  make_signed(stream);
  return reading_document(folder.string(), [&] {
    return stands_at(stream_file(folder, stream))
               ? open_whole(folder, header, std::move(stream), std::move(info))
               : open_channels(folder, header, std::move(stream), std::move(info));
  });
}

}  // namespace weir::formats
