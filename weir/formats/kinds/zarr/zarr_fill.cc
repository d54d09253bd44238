#include "weir/formats/kinds/zarr/zarr_fill.h"

#include <fmt/format.h>

#include <cstdint>
#include <cstring>

#include "weir/core/error.h"

namespace weir::formats {
namespace {
template <class Number>
void repeat(double value, std::span<std::byte> samples) {
  const auto number = static_cast<Number>(value);
  for (std::size_t at = 0; at + sizeof number <= samples.size(); at += sizeof number) {
    std::memcpy(samples.data() + at, &number, sizeof number);
  }
}
}  // namespace

bool fill_fits(StoredType type, double value) {
  switch (type) {
    case StoredType::int8:
      return value >= -128 && value <= 127;
    case StoredType::uint8:
      return value >= 0 && value <= 255;
    case StoredType::int16:
      return value >= -32768 && value <= 32767;
    case StoredType::uint16:
      return value >= 0 && value <= 65535;
    case StoredType::int32:
      return value >= -2147483648.0 && value <= 2147483647.0;
    case StoredType::uint32:
      return value >= 0 && value <= 4294967295.0;
    case StoredType::int64:
      return value >= -0x1p63 && value < 0x1p63;
    case StoredType::uint64:
      return value >= 0 && value < 0x1p64;
    default:
      return true;
  }
}

void fill_samples(StoredType type, double value, std::span<std::byte> samples) {
  switch (type) {
    case StoredType::float32:
      return repeat<float>(value, samples);
    case StoredType::float64:
      return repeat<double>(value, samples);
    case StoredType::int16:
      return repeat<std::int16_t>(value, samples);
    case StoredType::int32:
      return repeat<std::int32_t>(value, samples);
    case StoredType::int64:
      return repeat<std::int64_t>(value, samples);
    case StoredType::int8:
      return repeat<std::int8_t>(value, samples);
    case StoredType::uint8:
      return repeat<std::uint8_t>(value, samples);
    case StoredType::uint16:
      return repeat<std::uint16_t>(value, samples);
    case StoredType::uint32:
      return repeat<std::uint32_t>(value, samples);
    case StoredType::uint64:
      return repeat<std::uint64_t>(value, samples);
    default:
      if (value != 0) {
        throw Error(ErrorCode::unsupported,
                    fmt::format("fill_value {} of type {}", value, name(type)));
      }
      std::memset(samples.data(), 0, samples.size());
  }
}

}  // namespace weir::formats
