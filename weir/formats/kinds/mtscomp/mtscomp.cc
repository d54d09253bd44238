#include "weir/formats/kinds/mtscomp/mtscomp.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/chunk_source.h"
#include "weir/formats/inflate.h"
#include "weir/formats/input_file.h"
#include "weir/formats/json.h"
#include "weir/formats/kinds/mtscomp/mtscomp_header.h"
#include "weir/formats/raw_options.h"
#include "weir/formats/recording_document.h"
#include "weir/formats/running_sum.h"
#include "weir/formats/stored_samples.h"

namespace weir::formats {
namespace {
namespace fs = std::filesystem;

fs::path with_extension(fs::path path, const char* extension) {
  return path.replace_extension(extension);
}

class MtscompChunks final : public ChunkDecoder {
 public:
  MtscompChunks(InputFile file, MtscompHeader header)
      : file_(std::move(file)), header_(std::move(header)) {
    for (std::size_t i = 1; i < header_.offsets.size(); ++i) {
      largest_ = std::max(largest_, header_.offsets[i] - header_.offsets[i - 1]);
    }
  }

  void decode(std::int64_t, std::int64_t row, std::int64_t,
              std::span<std::byte> samples) const override {
    const auto at = static_cast<std::size_t>(row);
    const std::int64_t frames = header_.bounds[at + 1] - header_.bounds[at];
    const std::int64_t item = stored_bytes(header_.type);
    const auto filled = samples.first(static_cast<std::size_t>(frames * header_.channels * item));
    inflate_chunk(at, filled);
    if (header_.big_endian) {
      swap_byte_order(filled, item);
    }
    const bool columns = header_.order == SampleOrder::channel_major;
    const std::int64_t inner = columns ? frames : header_.channels;
    // In the order in which they were taken, backwards: it matters to floats.
    for (const bool time : {false, true}) {
      if (time ? header_.time_differences : header_.space_differences) {
        time == columns ? sum_along_rows(header_.type, filled, inner)
                        : sum_across_rows(header_.type, filled, inner);
      }
    }
    if (columns) {
      spread(samples, frames * item);
    }
  }
  std::size_t scratch_bytes() const noexcept override { return static_cast<std::size_t>(largest_); }
  std::size_t held_bytes() const noexcept override {
    return 3 * header_.bounds.size() * sizeof(std::int64_t);  // Bounds twice, and offsets.
  }

 private:
  void inflate_chunk(std::size_t at, std::span<std::byte> samples) const {
    const auto bytes = static_cast<std::size_t>(header_.offsets[at + 1] - header_.offsets[at]);
    const auto stored = std::make_unique_for_overwrite<std::byte[]>(bytes);
    file_.read(header_.offsets[at], {stored.get(), bytes});
    in_context(
        fmt::format("{}: chunk {} at {}", file_.path().string(), at, header_.offsets[at]), [&] {
          const std::size_t size =
              inflate_all(DeflateWrapper::zlib, {stored.get(), bytes}, samples);
          if (size != samples.size()) {
            throw Error(ErrorCode::corrupt_data,
                        fmt::format("holds {} bytes of samples, not {}", size, samples.size()));
          }
        });
  }

  /// The columns of a shorter chunk go where those of a whole one are.
  void spread(std::span<std::byte> samples, std::int64_t column_bytes) const {
    const std::int64_t whole = std::ssize(samples) / header_.channels;
    for (std::int64_t c = header_.channels - 1; c > 0 && whole > column_bytes; --c) {
      std::memmove(samples.data() + c * whole, samples.data() + c * column_bytes,
                   static_cast<std::size_t>(column_bytes));
    }
  }

  InputFile file_;
  MtscompHeader header_;
  std::int64_t largest_ = 0;
};

Value header_document(const fs::path& path) {
  return in_context(path.string(), [&] { return parse_json(read_text_file(path.string())); });
}

Match probe(const fs::path& path, std::span<const std::byte>) {
  const bool named = ends_with_ignoring_case(path.string(), ".cbin") ||
                     ends_with_ignoring_case(path.string(), ".ch");
  std::error_code failure;
  const fs::path header = with_extension(path, ".ch");
  if (!named || !fs::is_regular_file(header, failure)) {
    return Match::no;
  }
  try {
    return is_mtscomp_header(header_document(header)) ? Match::by_content : Match::no;
  } catch (const Error&) {
    return Match::no;
  }
}

/// Chunks that are whole in the file; a warning tells of the others.
void cut(const InputFile& file, MtscompHeader& header, std::vector<std::string>& warnings) {
  const auto& offsets = header.offsets;
  const std::int64_t claimed = offsets.back();
  if (file.size() > claimed) {
    warnings.push_back(
        fmt::format("{}: holds {} bytes, where its header tells of {}; the rest is "
                    "ignored",
                    file.path().string(), grouped(file.size()), grouped(claimed)));
  } else if (file.size() < claimed) {
    const auto past = std::upper_bound(offsets.begin(), offsets.end(), file.size());
    const auto kept = static_cast<std::size_t>(past - offsets.begin());
    const std::int64_t frames = header.bounds.back();
    header.offsets.resize(kept);
    header.bounds.resize(kept);
    warnings.push_back(fmt::format(
        "{}: truncated: holds {} bytes where its chunks need {}; opened to the last whole chunk, "
        "{} of {} frames",
        file.path().string(), grouped(file.size()), grouped(claimed), grouped(header.bounds.back()),
        grouped(frames)));
  }
}

std::unique_ptr<RecordingSource> make_source(InputFile file, MtscompHeader header,
                                             RecordingInfo info) {
  info.stored = header.type;
  info.order = header.order;
  cut(file, header, info.warnings);
  info.segments.front().frames = header.bounds.back();
  ChunkGrid grid{.frames = header.longest_chunk(),
                 .channels = header.channels,
                 .order = header.order,
                 .bounds = header.bounds};
  return make_chunk_source(std::make_unique<MtscompChunks>(std::move(file), std::move(header)),
                           {std::move(grid)}, std::move(info));
}

MtscompHeader read_header(const fs::path& cbin) {
  const fs::path path = with_extension(cbin, ".ch");
  const Value document = header_document(path);
  return reading_document(path.string(), [&] { return parse_mtscomp_header(document); });
}

std::unique_ptr<RecordingSource> open(const fs::path& path, const OpenOptions& options) {
  const fs::path cbin = with_extension(path, ".cbin");
  InputFile file(cbin);
  MtscompHeader header = read_header(cbin);
  RecordingInfo info;
  info.name = cbin.filename().string();
  info.format = "mtscomp";
  const auto raw = in_context(path.string(), [&] { return RawOptions::from(options.raw); });
  reading_document(with_extension(path, ".ch").string(), [&] {
    info.rate = in_context("sample_rate", [&] {
      return raw.rate_hz ? raw.rate() : SampleRate::from_hz(header.rate_hz);
    });
  });
  info.channels = raw.channel_list(header.channels);
  info.segments = {Segment{}};
  return make_source(std::move(file), std::move(header), std::move(info));
}
}  // namespace

std::unique_ptr<RecordingSource> open_compressed(const fs::path& cbin, RecordingInfo info) {
  InputFile file(cbin);
  MtscompHeader header = read_header(cbin);
  if (header.channels != info.channel_count() || header.type != StoredType::int16) {
    throw Error(
        ErrorCode::corrupt_data,
        fmt::format("{}: holds {} channels of {} where the recording has {} of int16",
                    cbin.string(), header.channels, name(header.type), info.channel_count()));
  }
  return make_source(std::move(file), std::move(header), std::move(info));
}

const Format& mtscomp_format() {
  static const Format kFormat{
      .name = "mtscomp",
      .summary = "Recordings compressed by mtscomp (.cbin with .ch) (read)",
      .extensions = {".cbin"},
      .probe = &probe,
      .open = &open,
      .create = nullptr,
      .create_events = nullptr,
      .writer_bytes = nullptr,
  };
  return kFormat;
}

}  // namespace weir::formats
