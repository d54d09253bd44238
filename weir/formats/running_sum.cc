#include "weir/formats/running_sum.h"

#include <algorithm>
#include <cstring>

#include "weir/core/error.h"
#include "weir/formats/stored_samples.h"

namespace weir::formats {
namespace {
/// Calls `body` with a number of the type, unsigned for integers, so that they wrap as NumPy's do.
template <class Body>
void with_sum_type(StoredType type, Body&& body) {
  WEIR_CHECK(can_be_summed(type));
  if (type == StoredType::float32) {
    return body(float{});
  }
  if (type == StoredType::float64) {
    return body(double{});
  }
  switch (stored_bytes(type)) {
    case 1:
      return body(std::uint8_t{});
    case 2:
      return body(std::uint16_t{});
    case 4:
      return body(std::uint32_t{});
    default:
      return body(std::uint64_t{});
  }
}

template <class Number>
Number load(const std::byte* from) {
  Number value;
  std::memcpy(&value, from, sizeof value);
  return value;
}
}  // namespace

bool can_be_summed(StoredType type) noexcept {
  return type != StoredType::int12 && type != StoredType::int24 && type != StoredType::float16;
}

void sum_along_rows(StoredType type, std::span<std::byte> samples, std::int64_t row_samples) {
  with_sum_type(type, [&]<class Number>(Number) {
    const std::size_t row = static_cast<std::size_t>(row_samples) * sizeof(Number);
    for (std::size_t start = 0; row > 0 && start + row <= samples.size(); start += row) {
      auto sum = load<Number>(samples.data() + start);
      for (std::size_t at = start + sizeof sum; at < start + row; at += sizeof sum) {
        sum = static_cast<Number>(sum + load<Number>(samples.data() + at));
        std::memcpy(samples.data() + at, &sum, sizeof sum);
      }
    }
  });
}

void sum_across_rows(StoredType type, std::span<std::byte> samples, std::int64_t row_samples) {
  with_sum_type(type, [&]<class Number>(Number) {
    const std::size_t row = static_cast<std::size_t>(row_samples) * sizeof(Number);
    for (std::size_t at = row; at + sizeof(Number) <= samples.size(); at += sizeof(Number)) {
      const auto sum = static_cast<Number>(load<Number>(samples.data() + at - row) +
                                           load<Number>(samples.data() + at));
      std::memcpy(samples.data() + at, &sum, sizeof sum);
    }
  });
}

}  // namespace weir::formats
