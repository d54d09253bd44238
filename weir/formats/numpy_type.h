#pragma once

#include <string_view>

#include "weir/core/recording.h"

namespace weir::formats {

/// A type as NumPy writes it.
struct NumpyType {
  StoredType type = StoredType::int16;
  bool big_endian = false;
};

/// "<i2", ">f8", "|u1", "int16". Errors: `unsupported` for what is no real number.
NumpyType numpy_type(std::string_view text);
/// "i2": the code without byte order. Range: types NumPy has.
std::string_view numpy_code(StoredType type);

}  // namespace weir::formats
