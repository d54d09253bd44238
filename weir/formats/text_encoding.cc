#include "weir/formats/text_encoding.h"

#include <cstdint>

namespace weir::formats {
namespace {
constexpr std::uint32_t kReplacement = 0xfffd;

/// Bytes of the UTF-8 sequence at the start of `text`, 0 when there is none: no overlong forms, no
/// surrogates, nothing past U+10FFFF.
std::size_t sequence_at_start(std::string_view text) noexcept {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const auto continues = [&](std::size_t i) { return (byte(i) & 0xc0U) == 0x80U; };
  if (byte(0) < 0x80) {
    return 1;
  }
  if (byte(0) >= 0xc2 && byte(0) < 0xe0) {
    return continues(1) ? 2 : 0;
  }
  const std::uint32_t pair = byte(0) << 8U | byte(1);
  if (byte(0) >= 0xe0 && byte(0) < 0xf0) {
    const bool legal = pair >= 0xe0a0 && (pair < 0xeda0 || pair > 0xedbf);
    return legal && continues(1) && continues(2) ? 3 : 0;
  }
  const bool legal = pair >= 0xf090 && pair <= 0xf48f;
  return legal && continues(1) && continues(2) && continues(3) ? 4 : 0;
}

bool is_utf8(std::string_view text) noexcept {
  while (!text.empty()) {
    const std::size_t length = sequence_at_start(text);
    if (length == 0) {
      return false;
    }
    text.remove_prefix(length);
  }
  return true;
}

void append(std::string& text, std::uint32_t code) {
  const auto part = [&](unsigned shift) {
    text += static_cast<char>(0x80U | (code >> shift & 0x3fU));
  };
  if (code < 0x80) {
    text += static_cast<char>(code);
  } else if (code < 0x800) {
    text += static_cast<char>(0xc0U | code >> 6U);
    part(0);
  } else if (code < 0x10000) {
    text += static_cast<char>(0xe0U | code >> 12U);
    part(6);
    part(0);
  } else {
    text += static_cast<char>(0xf0U | code >> 18U);
    part(12);
    part(6);
    part(0);
  }
}
}  // namespace

std::string to_utf8(std::string_view text) {
  if (is_utf8(text)) {
    return std::string(text);
  }
  std::string out;
  for (const char letter : text) {
    const auto code = static_cast<unsigned char>(letter);
    if (code < 0x80) {
      out += letter;
    } else {
      out += static_cast<char>(0xc0U | code >> 6U);
      out += static_cast<char>(0x80U | (code & 0x3fU));
    }
  }
  return out;
}

std::string from_utf16(std::string_view bytes) {
  const auto unit = [&](std::size_t i) {
    return 2 * i + 1 < bytes.size()
               ? static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[2 * i]) |
                                            static_cast<unsigned char>(bytes[2 * i + 1]) << 8)
               : 0U;
  };
  std::string text;
  for (std::size_t i = 0; i < bytes.size() / 2; ++i) {
    const std::uint32_t first = unit(i);
    const std::uint32_t second = unit(i + 1);
    if (first < 0xd800 || first > 0xdfff) {
      append(text, first);
    } else if (first < 0xdc00 && second >= 0xdc00 && second <= 0xdfff) {
      append(text, 0x10000 + ((first - 0xd800) << 10U) + (second - 0xdc00));
      ++i;
    } else {
      append(text, kReplacement);
    }
  }
  return text;
}

std::string from_utf32(std::string_view bytes) {
  std::string text;
  for (std::size_t at = 0; at + 4 <= bytes.size(); at += 4) {
    std::uint32_t code = 0;
    for (std::size_t i = 4; i-- > 0;) {
      code = code << 8U | static_cast<unsigned char>(bytes[at + i]);
    }
    const bool legal = code < 0xd800 || (code > 0xdfff && code < 0x110000);
    append(text, legal ? code : kReplacement);
  }
  return text;
}

}  // namespace weir::formats
