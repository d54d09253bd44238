#include "weir/formats/kinds/npy/npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/dense_source.h"
#include "weir/formats/dense_writer.h"
#include "weir/formats/json.h"
#include "weir/formats/kinds/npy/deflated_array.h"
#include "weir/formats/kinds/npy/npy_header.h"
#include "weir/formats/kinds/npy/npz_table.h"
#include "weir/formats/kinds/npy/zip_directory.h"
#include "weir/formats/numpy_type.h"
#include "weir/formats/raw_options.h"
#include "weir/formats/recording_document.h"
#include "weir/formats/stored_samples.h"

namespace weir::formats {
namespace {
namespace fs = std::filesystem;
constexpr std::size_t kHeaderBytes = 128;

/// Where one array lies: the whole of a .npy file or a member of an .npz.
struct Place {
  std::optional<ZipMember> member;
  std::int64_t start = 0;
  std::int64_t end = 0;

  bool deflated() const noexcept {
    return member && member->packing == ZipMember::Packing::deflated;
  }
};

bool starts_with(std::span<const std::byte> head, std::string_view magic) {
  return head.size() >= magic.size() && std::memcmp(head.data(), magic.data(), magic.size()) == 0;
}

Match probe(const fs::path& path, std::span<const std::byte> head) {
  if (starts_with(head, kNpyMagic)) {
    return Match::certain;
  }
  if (ends_with_ignoring_case(path.string(), ".npz") && starts_with(head, "PK")) {
    return Match::certain;
  }
  const bool named = ends_with_ignoring_case(path.string(), ".npy") ||
                     ends_with_ignoring_case(path.string(), ".npz");
  return named ? Match::by_name : Match::no;
}

/// The member called `stream`, else the largest. Errors: `not_found` listing the names.
const ZipMember& choose(const std::vector<ZipMember>& members, const std::string& stream,
                        const fs::path& path) {
  const ZipMember* chosen = nullptr;
  std::vector<std::string> names;
  for (const auto& member : members) {
    if (!ends_with_ignoring_case(member.name, ".npy")) {
      continue;
    }
    names.push_back(member.name.substr(0, member.name.size() - 4));
    const bool wanted = stream.empty()
                            ? chosen == nullptr || member.unpacked_bytes > chosen->unpacked_bytes
                            : stream == names.back() || stream == member.name;
    chosen = wanted ? &member : chosen;
  }
  if (chosen == nullptr) {
    throw Error(ErrorCode::not_found,
                fmt::format("{}: stream: no array \"{}\"; it holds {}", path.string(), stream,
                            names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
  }
  return *chosen;
}

Place find_array(const InputFile& file, const OpenOptions& options) {
  std::array<std::byte, 2> head{};
  file.read_some(0, head);
  if (!starts_with(head, "PK")) {
    return {std::nullopt, 0, file.size()};
  }
  const auto members = read_zip_directory(file);
  const ZipMember& member = choose(members, options.stream, file.path());
  if (member.packing == ZipMember::Packing::other) {
    throw Error(ErrorCode::unsupported,
                fmt::format("{}: {} is encrypted or packed otherwise than by deflate",
                            file.path().string(), member.name));
  }
  if (member.packing == ZipMember::Packing::deflated) {
    return {member, 0, member.unpacked_bytes};
  }
  const std::int64_t start = member_start(file, member);
  return {member, start, start + member.bytes};
}

NpyHeader header_at(const InputFile& file, const Place& place) {
  if (!place.deflated()) {
    return read_npy_header(file, place.start, place.end);
  }
  return in_context(fmt::format("{}: {}", file.path().string(), place.member->name), [&] {
    const std::int64_t bytes = npy_header_bytes(unpack_start(file, *place.member, 12));
    return parse_npy_start(unpack_start(file, *place.member, bytes));
  });
}

/// That a packed array is as long as its header says is known before it is unpacked.
void require_whole(const NpyHeader& header, const Place& place, const fs::path& path) {
  std::int64_t bytes = stored_bytes(header.type);
  bool countable = true;
  for (const std::int64_t length : header.shape) {
    countable = countable && !__builtin_mul_overflow(bytes, length, &bytes);
  }
  if (!countable || bytes > place.end - header.bytes) {
    throw Error(
        ErrorCode::corrupt_data,
        fmt::format("{}: {}: shape {} takes more than the {} bytes it unpacks to", path.string(),
                    place.member->name, shape_text(header.shape), place.end));
  }
}

/// Frames and channels of an array whose axes are `order`.
std::pair<std::int64_t, std::int64_t> frames_and_channels(const NpyHeader& header,
                                                          SampleOrder order) {
  const auto& shape = header.shape;
  if (shape.empty() || shape.size() > 2) {
    throw Error(ErrorCode::unsupported,
                fmt::format("shape {}: only [time] and [time, channel] arrays are recordings",
                            shape_text(shape)));
  }
  const bool first_is_time = order == SampleOrder::time_major || shape.size() == 1;
  const std::int64_t frames = first_is_time ? shape[0] : shape[1];
  const std::int64_t channels = shape.size() == 1 ? 1 : first_is_time ? shape[1] : shape[0];
  if (channels < 1 || channels > kMaxChannels) {
    throw Error(ErrorCode::corrupt_data,
                fmt::format("shape {}: {} channels, not between 1 and {}; raw.order tells which "
                            "axis is time",
                            shape_text(shape), channels, kMaxChannels));
  }
  return {frames, channels};
}

/// Rate, channels and segments from the sidecar, checked against the array.
void describe(RecordingInfo& info, RecordingDocument document, std::int64_t frames,
              std::int64_t channels) {
  if (std::ssize(document.channels) != channels || document.stored != info.stored) {
    throw Error(
        ErrorCode::corrupt_data,
        fmt::format("describes {} channels of {}, but the array holds {} of {}",
                    document.channels.size(), name(document.stored), channels, name(info.stored)));
  }
  info.rate = document.rate;
  info.axis = document.axis;
  info.channels = std::move(document.channels);
  info.segments = std::move(document.segments);
  info.start_time = std::move(document.start_time);
  if (info.total_frames() != frames) {
    throw Error(ErrorCode::corrupt_data, fmt::format("describes {} samples, but the array holds {}",
                                                     info.total_frames(), frames));
  }
}

void describe(RecordingInfo& info, const RawOptions& raw, std::int64_t frames,
              std::int64_t channels) {
  if (raw.channels.value_or(channels) != channels ||
      raw.dtype.value_or(info.stored) != info.stored || raw.header_bytes) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("raw: the array itself says that it holds {} channels of {}", channels,
                            name(info.stored)));
  }
  info.rate = raw.rate();
  info.channels = raw.channel_list(channels);
  info.segments = {Segment{.frames = frames, .start_s = {}}};
}

std::unique_ptr<RecordingSource> open(const fs::path& path, const OpenOptions& options) {
  InputFile file(path);
  const fs::path sidecar = sidecar_path(path);
  const Place place = find_array(file, options);
  const NpyHeader header = header_at(file, place);
  RecordingInfo info;
  info.name = path.filename().string();
  info.format = "npy";
  info.stored = header.type;
  if (place.member) {
    info.metadata["member"] = place.member->name;
  }
  SampleOrder axes = SampleOrder::time_major;
  if (options.raw.is_null() && stands_at(sidecar)) {
    const std::string text = read_text_file(sidecar.string());
    const Value json = in_context(sidecar.string(), [&] { return parse_json(text); });
    if (json.find("weir_snippets") != nullptr) {
      throw Error(
          ErrorCode::unsupported,
          fmt::format("{}: holds snippets around events, [snippets, samples, channels], and "
                      "no recording; numpy.load reads it",
                      path.string()));
    }
    auto document = from_document(json, "weir_raw", sidecar.string());
    axes = document.order;
    const auto [frames, channels] =
        in_context(path.string(), [&] { return frames_and_channels(header, axes); });
    in_context(sidecar.string(), [&] { describe(info, std::move(document), frames, channels); });
  } else {
    in_context(path.string(), [&] {
      const auto raw = RawOptions::from(options.raw);
      axes = raw.order.value_or(SampleOrder::time_major);
      const auto [frames, channels] = frames_and_channels(header, axes);
      describe(info, raw, frames, channels);
      if (!raw.order && channels > frames && frames > 0) {
        info.warnings.push_back(fmt::format(
            "{}: shape {} is read as [time, channel], {} frames of {} channels; raw.order = "
            "channel_major reads it the other way",
            path.string(), shape_text(header.shape), frames, channels));
      }
    });
  }
  const bool rows_are_frames = (axes == SampleOrder::time_major) != header.fortran_order;
  info.order = rows_are_frames ? SampleOrder::time_major : SampleOrder::channel_major;
  const DenseLayout layout{.first_byte = place.start + header.bytes,
                           .end_byte = place.end,
                           .big_endian = header.big_endian};
  if (place.deflated()) {
    require_whole(header, place, path);
    return make_deflated_source(std::move(file), *place.member, layout, std::move(info));
  }
  return make_dense_source(std::move(file), layout, std::move(info));
}

std::vector<std::byte> header_of(const RecordingOutput& output, std::int64_t frames) {
  const StreamInfo& stream = output.stream;
  std::string text(kNpyMagic);
  text.append({'\x01', '\x00', static_cast<char>(kHeaderBytes - 10), '\x00'});
  text += fmt::format("{{'descr': '<{}', 'fortran_order': False, 'shape': ({}, {}), }}",
                      numpy_code(stored_as(stream.type)), frames, stream.channel_count());
  WEIR_CHECK(text.size() < kHeaderBytes);
  text.resize(kHeaderBytes - 1, ' ');
  text += '\n';
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

std::unique_ptr<RecordingWriter> create(const RecordingOutput& output) {
  return make_dense_writer(output, &header_of);
}

std::vector<TableInfo> list_tables(const std::filesystem::path& path,
                                   const OpenOptions& /*options*/) {
  if (ends_with_ignoring_case(path.string(), ".npy")) {
    return {};  // One array, no table.
  }
  return {open_npz_table(path)->info()};
}

std::unique_ptr<TableSource> open_table(const std::filesystem::path& path,
                                        const OpenOptions& options) {
  choose_table({""}, options.stream, path.string());
  return open_npz_table(path);
}
}  // namespace

const Format& npy_format() {
  static const Format kFormat{
      .name = "npy",
      .summary = "NumPy arrays: .npy, and members of .npz (read)",
      .extensions = {".npy"},
      .probe = &probe,
      .open = &open,
      .create = &create,
      .create_events = nullptr,
      .writer_bytes = &dense_writer_bytes,
      .list_tables = &list_tables,
      .open_table = &open_table,
  };
  return kFormat;
}

}  // namespace weir::formats
