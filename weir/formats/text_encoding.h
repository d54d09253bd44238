#pragma once

#include <string>
#include <string_view>

namespace weir::formats {

/// Text of a header as UTF-8: bytes that are no UTF-8 are taken for Latin-1, as older programs
/// wrote it.
std::string to_utf8(std::string_view text);

/// Little-endian UTF-16 as UTF-8; halves of pairs that stand alone become U+FFFD.
std::string from_utf16(std::string_view bytes);

/// Little-endian UTF-32 as UTF-8; what is no code point becomes U+FFFD.
std::string from_utf32(std::string_view bytes);

}  // namespace weir::formats
