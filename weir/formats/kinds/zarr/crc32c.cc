#include "weir/formats/kinds/zarr/crc32c.h"

#include <array>
#include <cstring>

namespace weir::formats {
namespace {
using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

/// Table k takes a byte that k more bytes follow, so that eight bytes are taken at once.
/// Source: Kounavis and Berry, "A systematic approach to building high performance software-based
/// CRC generators", 2005.
constexpr Tables make_tables() noexcept {
  Tables tables{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) {
      value = (value & 1U) != 0 ? value >> 1 ^ 0x82f63b78U : value >> 1;
    }
    tables[0][i] = value;
  }
  for (std::size_t k = 1; k < tables.size(); ++k) {
    for (std::size_t i = 0; i < 256; ++i) {
      tables[k][i] = tables[k - 1][i] >> 8 ^ tables[0][tables[k - 1][i] & 0xffU];
    }
  }
  return tables;
}
constexpr Tables kTables = make_tables();
}  // namespace

std::uint32_t crc32c(std::span<const std::byte> bytes) noexcept {
  std::uint32_t value = 0xffffffffU;
  std::size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, sizeof word);
    word ^= value;
    value = 0;
    for (std::size_t k = 0; k < 8; ++k) {
      value ^= kTables[7 - k][word >> 8 * k & 0xffU];
    }
  }
  for (; at < bytes.size(); ++at) {
    value = value >> 8 ^ kTables[0][(value ^ std::to_integer<std::uint32_t>(bytes[at])) & 0xffU];
  }
  return ~value;
}

}  // namespace weir::formats
