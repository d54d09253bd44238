#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weir/core/recording.h"
#include "weir/formats/input_file.h"

namespace weir::formats {

/// What stands in front of an array.
struct NpyHeader {
  StoredType type = StoredType::float32;
  bool big_endian = false;
  bool fortran_order = false;
  std::vector<std::int64_t> shape;
  std::int64_t bytes = 0;  ///< Length of the header: samples follow.
};

inline constexpr std::string_view kNpyMagic = "\x93NUMPY";

/// The header at `offset` of a file whose array ends at `end` at the latest.
/// Errors: `corrupt_data`, `unsupported` (type, version) naming the file.
/// Source: NumPy, "numpy.lib.format", versions 1.0 to 3.0.
NpyHeader read_npy_header(const InputFile& file, std::int64_t offset, std::int64_t end);

/// The same of bytes: `start` holds the header, or as much as is known.
/// Errors: as above, without the file's name; `corrupt_data` when the header is longer.
NpyHeader parse_npy_start(std::span<const std::byte> start);
/// Bytes that a header takes, from its first 12. Errors: as `parse_npy_start`.
std::int64_t npy_header_bytes(std::span<const std::byte> start);

/// The dictionary of a header. Errors: as above, without the file's name.
NpyHeader parse_npy_dictionary(std::string_view text);

/// "(2, 3)".
std::string shape_text(const std::vector<std::int64_t>& shape);

}  // namespace weir::formats
