#include "weir/formats/stored_samples.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "weir/core/error.h"

namespace weir::formats {
namespace {

/// A sample that C++ has a type for.
template <class Number>
struct Plain {
  static constexpr std::int64_t kBytes = sizeof(Number);
  static Number load(const std::byte* at) noexcept {
    Number value;
    std::memcpy(&value, at, sizeof value);
    return value;
  }
};

struct Int24 {
  static constexpr std::int64_t kBytes = 3;
  static std::int32_t load(const std::byte* at) noexcept {
    std::uint32_t bits = 0;
    std::memcpy(&bits, at, 3);
    return static_cast<std::int32_t>(bits << 8) >> 8;
  }
};

struct Float16 {
  static constexpr std::int64_t kBytes = 2;
  static float load(const std::byte* at) noexcept {
    const std::uint16_t bits = Plain<std::uint16_t>::load(at);
    const int exponent = bits >> 10 & 31;
    const int fraction = bits & 1023;
    float magnitude = 0;
    if (exponent == 31) {
      magnitude = fraction == 0 ? INFINITY : NAN;
    } else {
      magnitude = exponent == 0 ? std::ldexp(static_cast<float>(fraction), -24)
                                : std::ldexp(static_cast<float>(fraction + 1024), exponent - 25);
    }
    return std::copysign(magnitude, (bits & 0x8000) != 0 ? -1.0F : 1.0F);
  }
};

template <class Body>
decltype(auto) with_loader(StoredType type, Body&& body) {
  switch (type) {
    case StoredType::int8:
      return body(Plain<std::int8_t>{});
    case StoredType::uint8:
      return body(Plain<std::uint8_t>{});
    case StoredType::int16:
      return body(Plain<std::int16_t>{});
    case StoredType::uint16:
      return body(Plain<std::uint16_t>{});
    case StoredType::int24:
      return body(Int24{});
    case StoredType::int32:
      return body(Plain<std::int32_t>{});
    case StoredType::uint32:
      return body(Plain<std::uint32_t>{});
    case StoredType::int64:
      return body(Plain<std::int64_t>{});
    case StoredType::uint64:
      return body(Plain<std::uint64_t>{});
    case StoredType::float16:
      return body(Float16{});
    case StoredType::float32:
      return body(Plain<float>{});
    case StoredType::float64:
      return body(Plain<double>{});
    case StoredType::int12:
      break;
  }
  throw Error(ErrorCode::unsupported, "int12 samples share bytes and have no size of their own");
}

/// First of `channels` when they count up by one, else -1.
std::int64_t run_start(std::span<const std::int64_t> channels) noexcept {
  for (std::size_t i = 1; i < channels.size(); ++i) {
    if (channels[i] != channels[0] + static_cast<std::int64_t>(i)) {
      return -1;
    }
  }
  return channels.empty() ? -1 : channels[0];
}
}  // namespace

std::int64_t stored_bytes(StoredType type) {
  return with_loader(type, [](auto loader) { return decltype(loader)::kBytes; });
}

bool fits_int16(StoredType type) noexcept {
  return type == StoredType::int8 || type == StoredType::uint8 || type == StoredType::int16 ||
         type == StoredType::int12;
}

StoredType stored_as(SampleType type) {
  WEIR_CHECK(type == SampleType::int16 || type == SampleType::int32 || type == SampleType::float32);
  return type == SampleType::int16   ? StoredType::int16
         : type == SampleType::int32 ? StoredType::int32
                                     : StoredType::float32;
}

StoredType stored_together(StoredType a, StoredType b) noexcept {
  const auto is_float = [](StoredType type) {
    return type == StoredType::float16 || type == StoredType::float32 ||
           type == StoredType::float64;
  };
  if (a == b) {
    return a;
  }
  return is_float(a) || is_float(b)       ? StoredType::float32
         : fits_int16(a) && fits_int16(b) ? StoredType::int16
                                          : StoredType::int32;
}

template <class T>
void unpack_rows(StoredType type, const std::byte* rows, std::int64_t row_samples,
                 std::span<const std::int64_t> channels, Block<T> out) {
  WEIR_CHECK((std::is_same_v<T, float> || fits_int16(type)));
  const std::int64_t start = run_start(channels);
  const auto count = static_cast<std::int64_t>(channels.size());
  with_loader(type, [&](auto loader) {
    constexpr std::int64_t kBytes = decltype(loader)::kBytes;
    for (std::int64_t f = 0; f < out.frames(); ++f) {
      const std::byte* row = rows + f * row_samples * kBytes;
      T* target = out.row(f);
      if (start >= 0) {
        const std::byte* from = row + start * kBytes;
        for (std::int64_t c = 0; c < count; ++c) {
          target[c] = static_cast<T>(loader.load(from + c * kBytes));
        }
      } else {
        for (std::int64_t c = 0; c < count; ++c) {
          target[c] = static_cast<T>(loader.load(row + channels[c] * kBytes));
        }
      }
    }
  });
}

template <class T>
void unpack_columns(StoredType type, const std::byte* columns, std::int64_t column_samples,
                    Block<T> out) {
  WEIR_CHECK((std::is_same_v<T, float> || fits_int16(type)));
  with_loader(type, [&](auto loader) {
    constexpr std::int64_t kBytes = decltype(loader)::kBytes;
    for (std::int64_t f = 0; f < out.frames(); ++f) {
      T* target = out.row(f);
      for (std::int64_t c = 0; c < out.channels(); ++c) {
        target[c] = static_cast<T>(loader.load(columns + (c * column_samples + f) * kBytes));
      }
    }
  });
}

void swap_byte_order(std::span<std::byte> bytes, std::int64_t sample_bytes) noexcept {
  const auto step = static_cast<std::size_t>(sample_bytes);
  for (std::size_t at = 0; step > 1 && at + step <= bytes.size(); at += step) {
    std::reverse(bytes.data() + at, bytes.data() + at + step);
  }
}

template void unpack_rows(StoredType, const std::byte*, std::int64_t, std::span<const std::int64_t>,
                          Block<float>);
template void unpack_rows(StoredType, const std::byte*, std::int64_t, std::span<const std::int64_t>,
                          Block<std::int16_t>);
template void unpack_columns(StoredType, const std::byte*, std::int64_t, Block<float>);
template void unpack_columns(StoredType, const std::byte*, std::int64_t, Block<std::int16_t>);

}  // namespace weir::formats
