#pragma once

#include <cstddef>
#include <span>

namespace weir::formats {

/// How much the blocks of a compressed record say they hold together.
/// Errors: `corrupt_data` for blocks that do not fill `in`; `unsupported` for an algorithm other
/// than zlib, LZMA, LZ4 and Zstandard.
std::size_t unpacked_bytes(std::span<const std::byte> in);

/// Unpacks them, which fill `out`. Errors: `corrupt_data`, also for a wrong checksum of LZ4.
/// Source: nine bytes stand in front of each block: two letters for the algorithm, its version, and
/// the packed and unpacked lengths as little-endian numbers of three bytes.
void unpack(std::span<const std::byte> in, std::span<std::byte> out);

}  // namespace weir::formats
