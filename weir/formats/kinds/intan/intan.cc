#include "weir/formats/kinds/intan/intan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/kinds/intan/intan_clock.h"
#include "weir/formats/kinds/intan/intan_events.h"
#include "weir/formats/kinds/intan/intan_folder.h"
#include "weir/formats/kinds/intan/intan_header.h"
#include "weir/formats/record_source.h"
#include "weir/formats/recording_document.h"

namespace weir::formats {
namespace {
namespace fs = std::filesystem;

/// info.rhd or info.rhs in `folder`; empty when there is none.
fs::path info_file(const fs::path& folder) {
  std::error_code failure;
  for (const char* name : {"info.rhd", "info.rhs"}) {
    if (fs::is_regular_file(folder / name, failure)) {
      return folder / name;
    }
  }
  return {};
}

bool is_header_alone(const fs::path& path) {
  return path.filename() == "info.rhd" || path.filename() == "info.rhs";
}

Match probe(const fs::path& path, std::span<const std::byte> head) {
  std::error_code failure;
  if (fs::is_directory(path, failure)) {
    return info_file(path).empty() ? Match::no : Match::certain;
  }
  if (is_intan(head)) {
    return Match::certain;
  }
  if (ends_with_ignoring_case(path.string(), ".dat") && !info_file(path.parent_path()).empty()) {
    return Match::certain;
  }
  const bool named = ends_with_ignoring_case(path.string(), ".rhd") ||
                     ends_with_ignoring_case(path.string(), ".rhs");
  return named ? Match::by_name : Match::no;
}

std::string list_names(const std::vector<IntanStream>& streams) {
  std::vector<std::string> names;
  names.reserve(streams.size());
  for (const auto& stream : streams) {
    names.push_back(fmt::format("{} ({} channels)", stream.name, stream.channels.size()));
  }
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

/// The stream asked for, else the first: amplifiers stand first where there are any.
const IntanStream& choose(const std::vector<IntanStream>& streams, const std::string& wanted) {
  const auto found = std::find_if(streams.begin(), streams.end(), [&](const IntanStream& stream) {
    return wanted.empty() || stream.name == wanted;
  });
  if (found == streams.end()) {
    throw Error(ErrorCode::not_found,
                fmt::format("stream: no \"{}\"; it holds {}", wanted, list_names(streams)));
  }
  return *found;
}

void keep_metadata(const IntanHeader& header, const std::vector<IntanStream>& streams,
                   const IntanStream& stream, RecordingInfo& info) {
  info.metadata["version"] =
      fmt::format("{} {}.{}", header.stimulator ? "RHS" : "RHD", header.major, header.minor);
  info.metadata["notch"] =
      header.notch_hz == 0 ? std::string("off") : fmt::format("{} Hz", header.notch_hz);
  if (!header.notes.empty()) {
    info.metadata["notes"] = fmt::format("{}", fmt::join(header.notes, "\n"));
  }
  info.metadata["stream"] = stream.name;
  if (streams.size() > 1) {
    info.metadata["streams"] = list_names(streams);
  }
}

/// Where in a data block the stream's first channel starts.
std::int64_t place_in_block(const IntanHeader& header, const IntanStream& stream) {
  std::int64_t place = 4 * header.block_frames;
  for (const auto& before : header.streams) {
    if (before.name == stream.name) {
      break;
    }
    place += 2 * before.block_samples * std::ssize(before.channels);
  }
  return place;
}

/// The time stamps in front of each data block. They were unsigned before RHD 1.2.
void read_stamps(const InputFile& file, const IntanHeader& header, std::int64_t first,
                 std::span<std::int64_t> numbers) {
  const bool is_unsigned =
      !header.stimulator && (header.major < 1 || (header.major == 1 && header.minor < 2));
  std::vector<std::int32_t> stamps(static_cast<std::size_t>(header.block_frames));
  while (!numbers.empty()) {
    const std::int64_t block = first / header.block_frames;
    const std::int64_t at = first % header.block_frames;
    const std::int64_t count = std::min(header.block_frames - at, std::ssize(numbers));
    file.read(header.header_bytes + block * header.block_bytes() + 4 * at,
              std::as_writable_bytes(std::span(stamps).first(static_cast<std::size_t>(count))));
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int32_t stamp = stamps[static_cast<std::size_t>(i)];
      numbers[static_cast<std::size_t>(i)] =
          is_unsigned ? std::int64_t{static_cast<std::uint32_t>(stamp)} : stamp;
    }
    numbers = numbers.subspan(static_cast<std::size_t>(count));
    first += count;
  }
}

/// Header and samples in one file, in blocks.
std::unique_ptr<RecordingSource> open_traditional(InputFile file, const IntanHeader& header,
                                                  const IntanStream& stream, RecordingInfo info) {
  const std::int64_t bytes = file.size() - header.header_bytes;
  const std::int64_t blocks = bytes / header.block_bytes();
  if (bytes % header.block_bytes() != 0) {
    info.warnings.push_back(
        fmt::format("the last {} bytes make no whole data block of {} and are "
                    "ignored",
                    grouped(bytes % header.block_bytes()), grouped(header.block_bytes())));
  }
  auto segments = intan_segments(
      blocks * header.block_frames,
      [&](std::int64_t first, std::span<std::int64_t> to) { read_stamps(file, header, first, to); },
      header.rate, blocks * stream.block_samples,
      Rational(stream.block_samples, header.block_frames), info.warnings);
  RecordLayout layout{.header_bytes = header.header_bytes,
                      .record_bytes = header.block_bytes(),
                      .samples = stream.block_samples,
                      .channel_bytes = {},
                      .first_frames = std::move(segments.first_frames)};
  for (std::int64_t c = 0; c < std::ssize(stream.channels); ++c) {
    layout.channel_bytes.push_back(place_in_block(header, stream) + 2 * c * stream.block_samples);
  }
  info.segments = std::move(segments.segments);
  info.rate = stream.rate;
  info.channels = stream.channels;
  info.stored = stream.type;
  info.order = SampleOrder::channel_major;
  for (auto& warning : info.warnings) {
    warning = fmt::format("{}: {}", file.path().string(), warning);
  }
  return make_record_source(std::move(file), std::move(layout), std::move(info));
}

std::unique_ptr<RecordingSource> open(const fs::path& path, const OpenOptions& options) {
  std::error_code failure;
  const bool folder_given = fs::is_directory(path, failure);
  const bool file_of_folder = !folder_given && ends_with_ignoring_case(path.string(), ".dat");
  const fs::path folder = folder_given ? path : path.parent_path();
  const fs::path where = folder_given || file_of_folder ? info_file(folder) : path;
  if (where.empty()) {
    throw Error(ErrorCode::not_found,
                fmt::format("{}: no info.rhd or info.rhs stands there", folder.string()));
  }
  InputFile file(where);
  RecordingInfo info;
  info.name = (path.has_filename() ? path : path.parent_path()).filename().string();
  info.format = "intan";
  return reading_document(where.string(), [&] {
    const IntanHeader header = read_intan_header(file);
    auto streams = header.streams;
    const bool alone = is_header_alone(where) && file.size() == header.header_bytes;
    if (alone) {
      std::erase_if(streams, [&](const auto& one) { return !has_intan_stream(folder, one); });
    }
    const std::string stem = file_of_folder ? path.stem().string() : std::string();
    const bool stem_is_stream = std::any_of(streams.begin(), streams.end(),
                                            [&](const auto& one) { return one.name == stem; });
    const IntanStream& stream =
        choose(streams, options.stream.empty() && stem_is_stream ? stem : options.stream);
    keep_metadata(header, streams, stream, info);
    return alone ? open_intan_folder(folder, header, stream, std::move(info))
                 : open_traditional(std::move(file), header, stream, std::move(info));
  });
}
}  // namespace

const Format& intan_format() {
  static const Format kFormat{
      .name = "intan",
      .summary = "Intan RHD and RHS: traditional, one file a signal type, one a channel (read)",
      .extensions = {".rhd", ".rhs"},
      .probe = &probe,
      .open = &open,
      .create = nullptr,
      .create_events = nullptr,
      .writer_bytes = nullptr,
      .list_events = &list_intan_events,
      .open_events = &open_intan_events,
  };
  return kFormat;
}

}  // namespace weir::formats
