#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace weir::formats {

/// Source: RFC 3720, B.4: the polynomial of Castagnoli, reflected.
std::uint32_t crc32c(std::span<const std::byte> bytes) noexcept;

}  // namespace weir::formats
