#include "weir/formats/kinds/root/root_compression.h"

#include <fmt/format.h>
#include <lz4.h>
#include <lzma.h>
#include <xxhash.h>
#include <zstd.h>

#include <string_view>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/inflate.h"

namespace weir::formats {
namespace {
constexpr std::size_t kHeadBytes = 9;
constexpr std::size_t kChecksumBytes = 8;
constexpr std::uint64_t kMostLzmaBytes = std::uint64_t{64} << 20;

using Bytes = std::span<const std::byte>;

struct Block {
  std::string_view algorithm;
  Bytes packed;
  std::size_t unpacked = 0;
};

[[noreturn]] void damaged(const std::string& reason) {
  throw Error(ErrorCode::corrupt_data, "a compressed block is damaged: " + reason);
}

std::size_t number(Bytes bytes) {
  return std::to_integer<std::size_t>(bytes[0]) | std::to_integer<std::size_t>(bytes[1]) << 8U |
         std::to_integer<std::size_t>(bytes[2]) << 16U;
}

/// Takes one block off the front.
Block next_block(Bytes& in) {
  if (in.size() < kHeadBytes) {
    damaged("it ends too early");
  }
  Block block;
  block.algorithm = {reinterpret_cast<const char*>(in.data()), 2};
  const std::size_t length = number(in.subspan(3));
  block.unpacked = number(in.subspan(6));
  if (length > in.size() - kHeadBytes) {
    damaged(fmt::format("{} bytes of {}", in.size() - kHeadBytes, length));
  }
  block.packed = in.subspan(kHeadBytes, length);
  in = in.subspan(kHeadBytes + length);
  return block;
}

void unpack_lz4(Bytes in, std::span<std::byte> out) {
  if (in.size() < kChecksumBytes) {
    damaged("it ends before its checksum");
  }
  const Bytes packed = in.subspan(kChecksumBytes);
  XXH64_canonical_t told;
  std::copy_n(reinterpret_cast<const unsigned char*>(in.data()), kChecksumBytes, told.digest);
  if (XXH64(packed.data(), packed.size(), 0) != XXH64_hashFromCanonical(&told)) {
    damaged("its checksum is another");
  }
  const int made = LZ4_decompress_safe(
      reinterpret_cast<const char*>(packed.data()), reinterpret_cast<char*>(out.data()),
      static_cast<int>(packed.size()), static_cast<int>(out.size()));
  if (made < 0 || static_cast<std::size_t>(made) != out.size()) {
    damaged("LZ4");
  }
}

void unpack_lzma(Bytes in, std::span<std::byte> out) {
  std::uint64_t most_bytes = kMostLzmaBytes;
  std::size_t read = 0;
  std::size_t made = 0;
  const auto result = lzma_stream_buffer_decode(
      &most_bytes, 0, nullptr, reinterpret_cast<const std::uint8_t*>(in.data()), &read, in.size(),
      reinterpret_cast<std::uint8_t*>(out.data()), &made, out.size());
  if (result != LZMA_OK || made != out.size()) {
    damaged(fmt::format("LZMA ({})", static_cast<int>(result)));
  }
}

void unpack_zstd(Bytes in, std::span<std::byte> out) {
  const std::size_t made = ZSTD_decompress(out.data(), out.size(), in.data(), in.size());
  if (ZSTD_isError(made) != 0 || made != out.size()) {
    damaged(ZSTD_isError(made) != 0 ? ZSTD_getErrorName(made) : "Zstandard");
  }
}
}  // namespace

std::size_t unpacked_bytes(Bytes in) {
  std::size_t bytes = 0;
  while (!in.empty()) {
    const Block block = next_block(in);
    if (block.algorithm != "ZL" && block.algorithm != "XZ" && block.algorithm != "L4" &&
        block.algorithm != "ZS") {
      throw Error(ErrorCode::unsupported,
                  fmt::format("is compressed by \"{}\"; zlib (ZL), LZMA (XZ), LZ4 (L4) and "
                              "Zstandard (ZS) are read",
                              printable(block.algorithm)));
    }
    bytes += block.unpacked;
  }
  return bytes;
}

void unpack(Bytes in, std::span<std::byte> out) {
  while (!in.empty()) {
    const Block block = next_block(in);
    if (block.unpacked > out.size()) {
      damaged("it holds more than its record");
    }
    const auto part = out.first(block.unpacked);
    if (block.algorithm == "ZL") {
      if (inflate_all(DeflateWrapper::zlib, block.packed, part) != part.size()) {
        damaged("zlib");
      }
    } else if (block.algorithm == "XZ") {
      unpack_lzma(block.packed, part);
    } else if (block.algorithm == "L4") {
      unpack_lz4(block.packed, part);
    } else {
      unpack_zstd(block.packed, part);
    }
    out = out.subspan(block.unpacked);
  }
  if (!out.empty()) {
    damaged("its record holds more");
  }
}

}  // namespace weir::formats
