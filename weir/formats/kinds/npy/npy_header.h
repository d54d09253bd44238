#pragma once

#include <cstdint>
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

/// The dictionary of a header. Errors: as above, without the file's name.
NpyHeader parse_npy_dictionary(std::string_view text);

/// "(2, 3)".
std::string shape_text(const std::vector<std::int64_t>& shape);

}  // namespace weir::formats
