#include "weir/formats/kinds/wav/wav_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/stored_samples.h"

namespace weir::formats {
namespace {
constexpr std::uint64_t kUnknown32 = 0xffffffffU;
constexpr int kMostChunks = 10'000;
constexpr unsigned kPcm = 1;
constexpr unsigned kFloat = 3;
constexpr unsigned kExtensible = 0xfffe;
/// The 14 bytes behind a format's number that make it a GUID.
constexpr std::string_view kGuidTail{"\x00\x00\x00\x00\x10\x00\x80\x00\x00\xaa\x00\x38\x9b\x71",
                                     14};

[[noreturn]] void refuse(const std::string& text) {
  throw Error(ErrorCode::corrupt_data, text);
}

/// `count` little-endian bytes.
std::uint64_t number_at(std::string_view text, std::size_t at, std::size_t count) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < count; ++i) {
    number |= std::uint64_t{static_cast<unsigned char>(text.at(at + i))} << (8 * i);
  }
  return number;
}

std::string read_text(const InputFile& file, std::int64_t at, std::size_t bytes) {
  std::string text(bytes, '\0');
  file.read(at, std::as_writable_bytes(std::span(text)));
  return text;
}

StoredType type_of(unsigned format, std::int64_t bytes) {
  if (format == kFloat && (bytes == 4 || bytes == 8)) {
    return bytes == 4 ? StoredType::float32 : StoredType::float64;
  }
  constexpr std::array kWhole{StoredType::uint8, StoredType::int16, StoredType::int24,
                              StoredType::int32};
  if (format == kPcm && bytes >= 1 && bytes <= 4) {
    return kWhole.at(static_cast<std::size_t>(bytes - 1));
  }
  throw Error(ErrorCode::unsupported,
              fmt::format("format {} with {} bytes a sample; read are PCM of 1 to 4 bytes and "
                          "floats of 4 and 8",
                          format, bytes));
}

/// The chunk "fmt ".
void read_format(std::string_view text, WavHeader& header) {
  if (text.size() < 16) {
    refuse(fmt::format("its chunk \"fmt \" has {} bytes, at least 16 are needed", text.size()));
  }
  auto format = static_cast<unsigned>(number_at(text, 0, 2));
  header.channels = static_cast<std::int64_t>(number_at(text, 2, 2));
  header.rate_hz = static_cast<std::int64_t>(number_at(text, 4, 4));
  const auto frame_bytes = static_cast<std::int64_t>(number_at(text, 12, 2));
  const auto bits = static_cast<std::int64_t>(number_at(text, 14, 2));
  if (format == kExtensible) {
    if (text.size() < 40 || text.substr(26, 14) != kGuidTail) {
      throw Error(ErrorCode::unsupported, "an extensible format that is none of the known ones");
    }
    format = static_cast<unsigned>(number_at(text, 24, 2));
  }
  if (header.channels == 0 || header.rate_hz == 0 || frame_bytes == 0 ||
      frame_bytes % header.channels != 0 || bits > 8 * frame_bytes / header.channels) {
    refuse(
        fmt::format("its chunk \"fmt \" says {} channels, {} Hz, {} bytes a frame, {} bits a "
                    "sample",
                    header.channels, header.rate_hz, frame_bytes, bits));
  }
  header.type = type_of(format, frame_bytes / header.channels);
}

/// The chunk "data": its own size, or that of ds64, or all that is left.
void find_samples(const InputFile& file, std::int64_t first, std::uint64_t size,
                  std::uint64_t large_size, WavHeader& header) {
  if (header.channels == 0) {
    refuse("its chunk \"data\" stands in front of \"fmt \"");
  }
  header.first_byte = first;
  const std::int64_t frame_bytes = stored_bytes(header.type) * header.channels;
  std::uint64_t bytes = header.large && size == kUnknown32 ? large_size : size;
  const auto left = static_cast<std::uint64_t>(std::max(std::int64_t{0}, file.size() - first));
  if (bytes == kUnknown32 || (bytes == 0 && left >= static_cast<std::uint64_t>(frame_bytes))) {
    header.warnings.push_back(
        fmt::format("the length of the samples was never written; read to the end of the file, {} "
                    "bytes",
                    grouped(static_cast<std::int64_t>(left))));
    bytes = left;
  }
  header.frames = static_cast<std::int64_t>(bytes / static_cast<std::uint64_t>(frame_bytes));
  if (bytes % static_cast<std::uint64_t>(frame_bytes) != 0) {
    header.warnings.push_back(
        fmt::format("its samples take {} bytes, no whole number of frames of "
                    "{}; the last are ignored",
                    bytes, frame_bytes));
  }
}

void put(std::string& text, std::uint64_t number, int bytes) {
  for (int i = 0; i < bytes; ++i) {
    text += static_cast<char>(number >> (8 * i) & 255U);
  }
}

void put_format(std::string& text, StoredType type, std::int64_t channels, std::int64_t rate_hz) {
  const bool floats = type == StoredType::float32;
  const bool extensible = channels > 2;
  const std::int64_t sample_bytes = stored_bytes(type);
  text += "fmt ";
  put(text, extensible ? 40 : 18, 4);
  put(text, extensible ? kExtensible : floats ? kFloat : kPcm, 2);
  put(text, static_cast<std::uint64_t>(channels), 2);
  put(text, static_cast<std::uint64_t>(rate_hz), 4);
  put(text, static_cast<std::uint64_t>(rate_hz * channels * sample_bytes), 4);
  put(text, static_cast<std::uint64_t>(channels * sample_bytes), 2);
  put(text, static_cast<std::uint64_t>(8 * sample_bytes), 2);
  put(text, extensible ? 22 : 0, 2);
  if (extensible) {
    put(text, static_cast<std::uint64_t>(8 * sample_bytes), 2);
    put(text, 0, 4);  // No loudspeakers.
    put(text, floats ? kFloat : kPcm, 2);
    text += kGuidTail;
  }
}
}  // namespace

WavHeader read_wav_header(const InputFile& file) {
  const std::string start = read_text(file, 0, 12);
  WavHeader header;
  header.large = start.starts_with("RF64") || start.starts_with("BW64");
  if ((!header.large && !start.starts_with("RIFF")) || start.substr(8) != "WAVE") {
    refuse("does not start with RIFF, RF64 or BW64, and WAVE");
  }
  std::uint64_t large_size = 0;
  std::int64_t at = 12;
  for (int chunk = 0; chunk < kMostChunks && at <= file.size() - 8; ++chunk) {
    const std::string head = read_text(file, at, 8);
    const std::string name = head.substr(0, 4);
    const std::uint64_t size = number_at(head, 4, 4);
    if (name == "data") {
      find_samples(file, at + 8, size, large_size, header);
      return header;
    }
    const auto part = static_cast<std::size_t>(
        std::min({size, std::uint64_t{40}, static_cast<std::uint64_t>(file.size() - at - 8)}));
    const std::string text = read_text(file, at + 8, part);
    if (name == "fmt ") {
      read_format(text, header);
    } else if (name == "ds64" && text.size() >= 16) {
      large_size = number_at(text, 8, 8);
    }
    at += 8 + static_cast<std::int64_t>(size + size % 2);
  }
  refuse("has no chunk \"data\"");
}

double wav_gain(StoredType type) noexcept {
  switch (type) {
    case StoredType::uint8:
      return 0x1p-7;
    case StoredType::int16:
      return 0x1p-15;
    case StoredType::int24:
      return 0x1p-23;
    case StoredType::int32:
      return 0x1p-31;
    default:
      return 1;
  }
}

double wav_offset(StoredType type) noexcept {
  return type == StoredType::uint8 ? -1 : 0;
}

std::vector<std::byte> make_wav_header(StoredType type, std::int64_t channels, std::int64_t rate_hz,
                                       std::int64_t frames) {
  if (channels < 1 || channels * 4 > 0xffff) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("a WAV file has 1 to {} channels, not {}", 0xffff / 4, channels));
  }
  const std::int64_t data_bytes = frames * channels * stored_bytes(type);
  std::string format;
  put_format(format, type, channels, rate_hz);
  // "RIFF" size "WAVE", then room for the sizes of 64 bits, "fmt ", "fact", and the head of "data".
  const auto riff_bytes =
      static_cast<std::uint64_t>(4 + 36 + std::ssize(format) + 12 + 8 + data_bytes);
  const bool large = riff_bytes > kUnknown32 - 1;
  std::string text = large ? "RF64" : "RIFF";
  put(text, large ? kUnknown32 : riff_bytes, 4);
  text += large ? "WAVEds64" : "WAVEJUNK";
  put(text, 28, 4);
  put(text, large ? riff_bytes : 0, 8);
  put(text, large ? static_cast<std::uint64_t>(data_bytes) : 0, 8);
  put(text, large ? static_cast<std::uint64_t>(frames) : 0, 8);
  put(text, 0, 4);
  text += format;
  text += "fact";
  put(text, 4, 4);
  put(text, std::min(static_cast<std::uint64_t>(frames), kUnknown32), 4);
  text += "data";
  put(text, large ? kUnknown32 : static_cast<std::uint64_t>(data_bytes), 4);
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

}  // namespace weir::formats
