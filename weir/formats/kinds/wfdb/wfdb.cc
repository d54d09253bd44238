#include "weir/formats/kinds/wfdb/wfdb.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/kinds/wfdb/wfdb_events.h"
#include "weir/formats/kinds/wfdb/wfdb_header.h"
#include "weir/formats/kinds/wfdb/wfdb_signal_file.h"

namespace weir::formats {
namespace {
namespace fs = std::filesystem;
constexpr std::int64_t kPieceBytes = std::int64_t{64} << 10;

/// Files and the channels each holds: file i has channels [starts[i], starts[i] + its channels).
struct SignalFiles {
  std::vector<WfdbSignalFile> files;
  std::vector<std::int64_t> starts;
};

std::int64_t piece_frames(const WfdbSignalFile& file) noexcept {
  return std::max(std::int64_t{1}, kPieceBytes / (2 * file.channels()));
}

class WfdbSource final : public RecordingSource {
 public:
  WfdbSource(SignalFiles files, RecordingInfo info)
      : files_(std::move(files)), info_(std::move(info)) {}

  const RecordingInfo& info() const noexcept override { return info_; }
  void read(std::int64_t segment, std::int64_t first, std::span<const std::int64_t> channels,
            Block<float> out) const override {
    read_as(segment, first, channels, out);
  }
  bool stored_as_int16() const noexcept override { return true; }
  void read_stored(std::int64_t segment, std::int64_t first, std::span<const std::int64_t> channels,
                   Block<std::int16_t> out) const override {
    read_as(segment, first, channels, out);
  }
  std::size_t cache_bytes(std::int64_t) const noexcept override {
    return static_cast<std::size_t>(4 * kPieceBytes + 8 * info_.channel_count());
  }

 private:
  template <class T>
  void read_as(std::int64_t segment, std::int64_t first, std::span<const std::int64_t> channels,
               Block<T> out) const {
    WEIR_CHECK(segment == 0 && first >= 0 && first <= info_.segments[0].frames - out.frames());
    WEIR_CHECK(out.channels() == static_cast<std::int64_t>(channels.size()));
    for (std::size_t i = 0; i < files_.files.size(); ++i) {
      const auto& file = files_.files[i];
      const std::int64_t start = files_.starts[i];
      const bool wanted = std::any_of(channels.begin(), channels.end(), [&](std::int64_t c) {
        return c >= start && c < start + file.channels();
      });
      if (wanted) {
        read_file(file, start, first, channels, out);
      }
    }
  }

  template <class T>
  static void read_file(const WfdbSignalFile& file, std::int64_t start, std::int64_t first,
                        std::span<const std::int64_t> channels, Block<T> out) {
    const std::int64_t piece =
        std::min(piece_frames(file), std::max(out.frames(), std::int64_t{1}));
    std::vector<std::int16_t> rows(static_cast<std::size_t>(piece * file.channels()));
    for (std::int64_t done = 0; done < out.frames(); done += piece) {
      const std::int64_t count = std::min(piece, out.frames() - done);
      file.read(first + done, count, rows.data());
      for (std::size_t i = 0; i < channels.size(); ++i) {
        const std::int64_t column = channels[i] - start;
        if (column < 0 || column >= file.channels()) {
          continue;
        }
        for (std::int64_t f = 0; f < count; ++f) {
          out(done + f, static_cast<std::int64_t>(i)) =
              static_cast<T>(rows[f * file.channels() + column]);
        }
      }
    }
  }

  SignalFiles files_;
  RecordingInfo info_;
};

fs::path header_path(const fs::path& path) {
  fs::path header = path;
  return ends_with_ignoring_case(path.string(), ".hea") ? header : header.replace_extension(".hea");
}

Match probe(const fs::path& path, std::span<const std::byte>) {
  if (ends_with_ignoring_case(path.string(), ".hea")) {
    return Match::certain;
  }
  std::error_code failure;
  const bool beside = (ends_with_ignoring_case(path.string(), ".dat") || is_wfdb_annotator(path)) &&
                      fs::is_regular_file(header_path(path), failure);
  return beside ? Match::certain : Match::no;
}

/// Signals that share a file follow each other in the header.
SignalFiles open_files(const WfdbHeader& header, const fs::path& folder) {
  SignalFiles result;
  const auto& signals = header.signals;
  for (std::size_t i = 0; i < signals.size();) {
    std::size_t end = i + 1;
    while (end < signals.size() && signals[end].file == signals[i].file) {
      if (signals[end].format != signals[i].format ||
          signals[end].byte_offset != signals[i].byte_offset) {
        throw Error(
            ErrorCode::corrupt_data,
            fmt::format("signals {} and {} share {}, but not its format", i, end, signals[i].file));
      }
      ++end;
    }
    result.files.emplace_back(folder / signals[i].file, signals[i].format, signals[i].byte_offset,
                              static_cast<std::int64_t>(end - i));
    result.starts.push_back(static_cast<std::int64_t>(i));
    i = end;
  }
  return result;
}

/// The frames every file holds; warns about files that hold fewer or more than promised.
std::int64_t fit_frames(const WfdbHeader& header, const SignalFiles& files, RecordingInfo& info) {
  std::int64_t frames = header.frames > 0 ? header.frames : INT64_MAX;
  for (const auto& file : files.files) {
    frames = std::min(frames, file.frames());
  }
  for (const auto& file : files.files) {
    const bool short_of = header.frames > file.frames();
    // A last pair of format 212 may be padded.
    const bool more =
        header.frames > 0 && !short_of && file.bytes() > file.bytes_for(header.frames) + 2;
    if (short_of) {
      info.warnings.push_back(fmt::format(
          "{}: truncated: holds {} bytes, {} frames, where the header promises {} frames; opened "
          "to the last whole frame",
          file.path().string(), grouped(file.bytes()), grouped(file.frames()),
          grouped(header.frames)));
    } else if (more) {
      info.warnings.push_back(fmt::format(
          "{}: holds {} bytes where {} frames need {}; the rest is ignored", file.path().string(),
          grouped(file.bytes()), grouped(header.frames), grouped(file.bytes_for(header.frames))));
    }
  }
  return frames;
}

/// What one pass over a file finds for each of its signals.
struct Tally {
  std::uint16_t sum = 0;
  std::int16_t first = 0;
  std::int64_t invalid = 0;
};

std::vector<Tally> tally(const WfdbSignalFile& file, std::int64_t frames) {
  std::vector<Tally> tallies(static_cast<std::size_t>(file.channels()));
  const std::int64_t piece = std::min(piece_frames(file), std::max(frames, std::int64_t{1}));
  std::vector<std::int16_t> rows(static_cast<std::size_t>(piece * file.channels()));
  for (std::int64_t done = 0; done < frames; done += piece) {
    const std::int64_t count = std::min(piece, frames - done);
    file.read(done, count, rows.data());
    for (std::int64_t i = 0; i < count * file.channels(); ++i) {
      Tally& one = tallies[i % file.channels()];
      one.sum = static_cast<std::uint16_t>(one.sum + static_cast<std::uint16_t>(rows[i]));
      one.invalid += rows[i] == file.invalid_sample() ? 1 : 0;
      if (done == 0 && i < file.channels()) {
        one.first = rows[i];
      }
    }
  }
  return tallies;
}

void compare(const WfdbSignal& signal, const WfdbSignalFile& file, const Tally& found, bool whole,
             std::vector<std::string>& warnings) {
  const std::string shown = fmt::format("{}: signal {}", file.path().string(), signal.description);
  if (whole && signal.checksum && static_cast<std::uint16_t>(*signal.checksum) != found.sum) {
    warnings.push_back(fmt::format("{}: checksum {}, but the header says {}", shown,
                                   static_cast<std::int16_t>(found.sum), *signal.checksum));
  }
  if (signal.initial_value && *signal.initial_value != found.first) {
    warnings.push_back(fmt::format("{}: starts with {}, but the header says {}", shown, found.first,
                                   *signal.initial_value));
  }
  if (found.invalid > 0) {
    warnings.push_back(fmt::format("{}: {} samples are marked as missing ({}); read as stored",
                                   shown, grouped(found.invalid), file.invalid_sample()));
  }
  if (!signal.calibrated) {
    warnings.push_back(
        fmt::format("{}: not calibrated; read with 200 counts per {}", shown, signal.unit));
  }
}

Channel to_channel(const WfdbSignal& signal, std::int64_t index) {
  Channel channel;
  channel.name = signal.description.empty() ? fmt::format("ch{}", index) : signal.description;
  channel.source_index = index;
  channel.gain = 1 / signal.gain;
  channel.offset = -static_cast<double>(signal.baseline) / signal.gain;
  channel.unit = signal.unit;
  return channel;
}

RecordingInfo to_info(const WfdbHeader& header, const fs::path& path) {
  RecordingInfo info;
  info.name = path.filename().string();
  info.format = "wfdb";
  info.rate = header.rate;
  info.start_time = header.start_time;
  info.metadata["record"] = header.record;
  if (!header.comments.empty()) {
    info.metadata["comments"] = fmt::format("{}", fmt::join(header.comments, "\n"));
  }
  for (const auto& signal : header.signals) {
    info.channels.push_back(to_channel(signal, info.channel_count()));
  }
  const bool packed = std::all_of(header.signals.begin(), header.signals.end(),
                                  [](const WfdbSignal& signal) { return signal.format == 212; });
  info.stored = packed ? StoredType::int12 : StoredType::int16;
  return info;
}

std::unique_ptr<RecordingSource> open(const fs::path& path, const OpenOptions&) {
  const fs::path hea = header_path(path);
  const std::string text = read_text_file(hea.string());
  const WfdbHeader header = in_context(hea.string(), [&] { return parse_wfdb_header(text); });
  RecordingInfo info = to_info(header, path);
  SignalFiles files =
      in_context(hea.string(), [&] { return open_files(header, hea.parent_path()); });
  const std::int64_t frames = fit_frames(header, files, info);
  info.segments = {Segment{.frames = frames, .start_s = {}}};
  for (std::size_t i = 0; i < files.files.size(); ++i) {
    const auto& file = files.files[i];
    const bool whole = header.frames == 0 || frames == header.frames;
    const auto tallies = tally(file, frames);
    for (std::size_t c = 0; c < tallies.size() && frames > 0; ++c) {
      const auto& signal = header.signals[static_cast<std::size_t>(files.starts[i]) + c];
      compare(signal, file, tallies[c], whole, info.warnings);
    }
  }
  return std::make_unique<WfdbSource>(std::move(files), std::move(info));
}
}  // namespace

const Format& wfdb_format() {
  static const Format kFormat{
      .name = "wfdb",
      .summary = "PhysioNet WFDB records (.hea), formats 16 and 212 (read)",
      .extensions = {".hea"},
      .probe = &probe,
      .open = &open,
      .create = nullptr,
      .create_events = nullptr,
      .writer_bytes = nullptr,
      .list_events = &list_wfdb_events,
      .open_events = &open_wfdb_events,
  };
  return kFormat;
}

}  // namespace weir::formats
