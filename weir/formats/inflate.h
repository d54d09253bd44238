#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace weir::formats {

/// What stands around a stream of DEFLATE.
enum class DeflateWrapper { none, zlib, gzip };

/// Decompresses all of `in` to the front of `out`; tells how much of it. Several gzip members one
/// after the other are read as one.
/// Errors: `corrupt_data` when `in` is damaged, ends too early or holds more than `out` can.
/// Source: RFC 1950 to 1952, as zlib reads them.
std::size_t inflate_all(DeflateWrapper wrapper, std::span<const std::byte> in,
                        std::span<std::byte> out);

/// Fills the front of a buffer with the bytes that come next; 0 at their end.
using NextBytes = std::function<std::size_t(std::span<std::byte>)>;
/// Decompresses a bare stream piece by piece, until `limit` bytes came out, and hands each to
/// `take`; tells how many. Holds 128 KiB.
/// Errors: `corrupt_data` when the stream is damaged or ends too early; those of its arguments.
std::int64_t inflate_stream(const NextBytes& next, std::int64_t limit,
                            const std::function<void(std::span<const std::byte>)>& take);

}  // namespace weir::formats
