#include "weir/formats/kinds/zarr/zarr_compression.h"

#include <blosc.h>
#include <fmt/format.h>
#include <zstd.h>

#include <cstdint>
#include <cstring>
#include <memory>

#include "weir/core/error.h"
#include "weir/formats/inflate.h"
#include "weir/formats/kinds/zarr/crc32c.h"

namespace weir::formats {
namespace {
using Kind = ZarrCodec::Kind;

[[noreturn]] void damaged(const std::string& what) {
  throw Error(ErrorCode::corrupt_data, what);
}

std::vector<std::byte> compress_zstd(const ZarrCodec& codec, std::span<const std::byte> in) {
  std::vector<std::byte> out(ZSTD_compressBound(in.size()));
  const std::size_t size = ZSTD_compress(out.data(), out.size(), in.data(), in.size(), codec.level);
  WEIR_CHECK(ZSTD_isError(size) == 0);
  out.resize(size);
  return out;
}

std::vector<std::byte> compress_blosc(const ZarrCodec& codec, std::span<const std::byte> in) {
  std::vector<std::byte> out(in.size() + BLOSC_MAX_OVERHEAD);
  const int size = blosc_compress_ctx(
      codec.level, codec.shuffle, static_cast<std::size_t>(codec.type_bytes), in.size(), in.data(),
      out.data(), out.size(), codec.compressor.c_str(), 0, 1);
  WEIR_CHECK(size > 0);
  out.resize(static_cast<std::size_t>(size));
  return out;
}

std::size_t decompress_zstd(std::span<const std::byte> in, std::span<std::byte> out) {
  // One context a thread: making one costs more than a small chunk.
  thread_local const std::unique_ptr<ZSTD_DCtx, std::size_t (*)(ZSTD_DCtx*)> kContext(
      ZSTD_createDCtx(), &ZSTD_freeDCtx);
  const std::size_t size =
      ZSTD_decompressDCtx(kContext.get(), out.data(), out.size(), in.data(), in.size());
  if (ZSTD_isError(size) != 0) {
    damaged(fmt::format("zstd: {}", ZSTD_getErrorName(size)));
  }
  return size;
}

std::size_t decompress_blosc(std::span<const std::byte> in, std::span<std::byte> out) {
  std::size_t size = 0;
  if (in.size() < BLOSC_MIN_HEADER_LENGTH ||
      blosc_cbuffer_validate(in.data(), in.size(), &size) != 0 || size > out.size()) {
    damaged(fmt::format("blosc: {} bytes that do not hold {}", in.size(), out.size()));
  }
  const int got = size == 0 ? 0 : blosc_decompress_ctx(in.data(), out.data(), size, 1);
  if (got < 0 || static_cast<std::size_t>(got) != size) {
    damaged(fmt::format("blosc: {} bytes of {} cannot be decompressed ({})", in.size(),
                        blosc_cbuffer_complib(in.data()) == nullptr
                            ? "an unknown compressor"
                            : blosc_cbuffer_complib(in.data()),
                        got));
  }
  return size;
}
}  // namespace

std::vector<std::byte> compress(const ZarrCodec& codec, std::span<const std::byte> in) {
  WEIR_CHECK(codec.kind == Kind::zstd || codec.kind == Kind::blosc);
  return codec.kind == Kind::zstd ? compress_zstd(codec, in) : compress_blosc(codec, in);
}

std::size_t decompress(const ZarrCodec& codec, std::span<const std::byte> in,
                       std::span<std::byte> out) {
  switch (codec.kind) {
    case Kind::zstd:
      return decompress_zstd(in, out);
    case Kind::blosc:
      return decompress_blosc(in, out);
    case Kind::gzip:
      return inflate_all(DeflateWrapper::gzip, in, out);
    case Kind::zlib:
      return inflate_all(DeflateWrapper::zlib, in, out);
    default:
      break;
  }
  WEIR_CHECK(false);
  return 0;
}

std::vector<std::byte> with_checksum(std::vector<std::byte> bytes) {
  const std::uint32_t sum = crc32c(bytes);
  const auto* tail = reinterpret_cast<const std::byte*>(&sum);
  bytes.insert(bytes.end(), tail, tail + sizeof sum);
  return bytes;
}

std::span<const std::byte> without_checksum(std::span<const std::byte> bytes) {
  std::uint32_t sum = 0;
  if (bytes.size() < sizeof sum) {
    damaged(fmt::format("{} bytes are too few for a checksum", bytes.size()));
  }
  const auto body = bytes.first(bytes.size() - sizeof sum);
  std::memcpy(&sum, bytes.data() + body.size(), sizeof sum);
  if (sum != crc32c(body)) {
    damaged(fmt::format("checksum {:08x}, computed {:08x}", sum, crc32c(body)));
  }
  return body;
}

}  // namespace weir::formats
