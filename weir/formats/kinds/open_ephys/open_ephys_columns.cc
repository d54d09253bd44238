#include "weir/formats/kinds/open_ephys/open_ephys_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/event_source.h"
#include "weir/formats/input_file.h"
#include "weir/formats/kinds/npy/npy_header.h"
#include "weir/formats/stored_samples.h"
#include "weir/formats/text_encoding.h"

namespace weir::formats {
namespace {
namespace fs = std::filesystem;
constexpr std::int64_t kMostBytes = std::int64_t{1} << 29;

bool is_whole(StoredType type) {
  return type == StoredType::int8 || type == StoredType::uint8 || type == StoredType::int16 ||
         type == StoredType::uint16 || type == StoredType::int32 || type == StoredType::uint32 ||
         type == StoredType::int64 || type == StoredType::uint64;
}

template <class Number>
void append_as(const std::vector<std::byte>& bytes, std::vector<std::int64_t>& numbers) {
  for (std::size_t at = 0; at + sizeof(Number) <= bytes.size(); at += sizeof(Number)) {
    Number number{};
    std::memcpy(&number, bytes.data() + at, sizeof number);
    numbers.push_back(static_cast<std::int64_t>(number));
  }
}

std::vector<std::byte> rest_of(const InputFile& file, std::int64_t first) {
  const std::int64_t bytes = std::max(std::int64_t{0}, file.size() - first);
  if (bytes > kMostBytes) {
    throw Error(ErrorCode::unsupported,
                fmt::format("{}: {} bytes of events, at most {} are read", file.path().string(),
                            grouped(bytes), grouped(kMostBytes)));
  }
  std::vector<std::byte> rest(static_cast<std::size_t>(bytes));
  file.read(first, rest);
  return rest;
}

/// Where the array of a text begins, how wide its items are, and whether they are UTF-32.
struct TextLayout {
  std::int64_t first_byte = 0;
  std::int64_t width = 0;
  bool wide = false;
};

TextLayout text_layout(const InputFile& file) {
  std::string head(std::min<std::size_t>(4096, static_cast<std::size_t>(file.size())), '\0');
  file.read(0, std::as_writable_bytes(std::span(head)));
  const auto byte = [&](std::size_t i) {
    return i < head.size() ? static_cast<unsigned char>(head[i]) : 0U;
  };
  const bool old = byte(6) < 2;
  const std::size_t length =
      old ? byte(8) | byte(9) << 8U : byte(8) | byte(9) << 8U | byte(10) << 16U | byte(11) << 24U;
  const std::size_t start = old ? 10 : 12;
  const auto refuse = [&](std::string_view what) {
    throw Error(ErrorCode::corrupt_data,
                fmt::format("{}: is no list of texts: {}", file.path().string(), what));
  };
  if (!head.starts_with(kNpyMagic) || start > head.size() || length > head.size() - start) {
    refuse("no header of .npy stands in front");
  }
  const std::string_view dictionary = std::string_view(head).substr(start, length);
  const auto descr = dictionary.find("'descr'");
  const auto open = dictionary.find('\'', descr == dictionary.npos ? descr : descr + 7);
  if (open == dictionary.npos) {
    refuse("its header has no descr");
  }
  const std::string_view type =
      dictionary.substr(open + 1, dictionary.find('\'', open + 1) - open - 1);
  const bool narrow = type.starts_with("|S") || type.starts_with("S");
  const bool wide = type.starts_with("<U");
  TextLayout layout{static_cast<std::int64_t>(start + length), 0, wide};
  try {
    layout.width = parse_integer(type.substr(type.find_first_of("SU") + 1)) * (wide ? 4 : 1);
  } catch (const Error&) {
    layout.width = -1;
  }
  if ((!narrow && !wide) || layout.width < 0 || layout.width > kMostBytes) {
    refuse(fmt::format("its type is \"{}\"", printable(type)));
  }
  return layout;
}

std::string text_at(std::string_view bytes, bool wide) {
  if (!wide) {
    return to_utf8(bytes.substr(0, bytes.find('\0')));
  }
  std::string pairs;  // As UTF-16, for characters of its first plane; others become U+FFFD.
  for (std::size_t i = 0; i + 4 <= bytes.size(); i += 4) {
    const bool far = bytes[i + 2] != '\0' || bytes[i + 3] != '\0';
    if (bytes.substr(i, 4) == std::string_view("\0\0\0\0", 4)) {
      break;
    }
    pairs += far ? std::string("\xfd\xff") : std::string(bytes.substr(i, 2));
  }
  return from_utf16(pairs);
}
}  // namespace

bool holds_integers(const fs::path& path) {
  const InputFile file(path);
  return is_whole(read_npy_header(file, 0, file.size()).type);
}

std::vector<std::int64_t> read_npy_integers(const fs::path& path) {
  const InputFile file(path);
  const NpyHeader header = read_npy_header(file, 0, file.size());
  if (!is_whole(header.type) || header.big_endian || header.shape.size() > 1) {
    throw Error(ErrorCode::unsupported,
                fmt::format("{}: holds {} of shape {}, no list of whole numbers", path.string(),
                            name(header.type), shape_text(header.shape)));
  }
  const auto bytes = rest_of(file, header.bytes);
  std::vector<std::int64_t> numbers;
  numbers.reserve(bytes.size() / static_cast<std::size_t>(stored_bytes(header.type)));
  switch (header.type) {
    case StoredType::int8:
      append_as<std::int8_t>(bytes, numbers);
      break;
    case StoredType::uint8:
      append_as<std::uint8_t>(bytes, numbers);
      break;
    case StoredType::int16:
      append_as<std::int16_t>(bytes, numbers);
      break;
    case StoredType::uint16:
      append_as<std::uint16_t>(bytes, numbers);
      break;
    case StoredType::int32:
      append_as<std::int32_t>(bytes, numbers);
      break;
    case StoredType::uint32:
      append_as<std::uint32_t>(bytes, numbers);
      break;
    default:
      append_as<std::int64_t>(bytes, numbers);
  }
  return numbers;
}

std::vector<std::string> read_npy_texts(const fs::path& path) {
  const InputFile file(path);
  const TextLayout layout = text_layout(file);
  std::vector<std::string> texts;
  const auto bytes = rest_of(file, layout.first_byte);
  const std::string_view all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const auto width = static_cast<std::size_t>(layout.width);
  for (std::size_t at = 0; width > 0 && at + width <= all.size(); at += width) {
    texts.push_back(text_at(all.substr(at, width), layout.wide));
  }
  return texts;
}

}  // namespace weir::formats
