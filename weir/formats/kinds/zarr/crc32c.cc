#include "weir/formats/kinds/zarr/crc32c.h"

#include <array>

namespace weir::formats {
namespace {
constexpr std::array<std::uint32_t, 256> make_table() noexcept {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) {
      value = (value & 1U) != 0 ? value >> 1 ^ 0x82f63b78U : value >> 1;
    }
    table[i] = value;
  }
  return table;
}
constexpr auto kTable = make_table();
}  // namespace

std::uint32_t crc32c(std::span<const std::byte> bytes) noexcept {
  std::uint32_t value = 0xffffffffU;
  for (const std::byte byte : bytes) {
    value = value >> 8 ^ kTable[(value ^ std::to_integer<std::uint32_t>(byte)) & 0xffU];
  }
  return ~value;
}

}  // namespace weir::formats
