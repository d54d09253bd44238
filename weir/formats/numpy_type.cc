#include "weir/formats/numpy_type.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "weir/core/error.h"
#include "weir/core/text.h"

namespace weir::formats {
namespace {
/// Truth values are read as 0 and 1.
constexpr std::array<std::pair<std::string_view, StoredType>, 12> kCodes{
    {{"i1", StoredType::int8},
     {"u1", StoredType::uint8},
     {"b1", StoredType::uint8},
     {"i2", StoredType::int16},
     {"u2", StoredType::uint16},
     {"i4", StoredType::int32},
     {"u4", StoredType::uint32},
     {"i8", StoredType::int64},
     {"u8", StoredType::uint64},
     {"f2", StoredType::float16},
     {"f4", StoredType::float32},
     {"f8", StoredType::float64}}};
}  // namespace

NumpyType numpy_type(std::string_view text) {
  const bool marked = !text.empty() && std::string_view("<>=|").find(text[0]) != text.npos;
  const std::string_view code = text.substr(marked ? 1 : 0);
  for (const auto& [known, type] : kCodes) {
    if (code == known || (!marked && code == name(type))) {
      return {type, marked && text[0] == '>'};
    }
  }
  throw Error(ErrorCode::unsupported,
              fmt::format("type \"{}\" is no real number", printable(text)));
}

std::string_view numpy_code(StoredType type) {
  for (const auto& [known, code_type] : kCodes) {
    if (code_type == type) {
      return known;
    }
  }
  throw Error(ErrorCode::unsupported, fmt::format("NumPy has no {}", name(type)));
}

}  // namespace weir::formats
