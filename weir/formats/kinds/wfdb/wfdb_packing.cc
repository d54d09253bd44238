#include "weir/formats/kinds/wfdb/wfdb_packing.h"

#include <algorithm>
#include <array>

namespace weir::formats {
namespace {
struct Packing {
  int format;
  WfdbBlock block;
  StoredType stored;
  std::int32_t invalid;
};

constexpr std::array<Packing, 13> kPackings{{
    {8, {1, 1}, StoredType::int32, 0},
    {16, {1, 2}, StoredType::int16, INT16_MIN},
    {24, {1, 3}, StoredType::int24, -(1 << 23)},
    {32, {1, 4}, StoredType::int32, INT32_MIN},
    {61, {1, 2}, StoredType::int16, INT16_MIN},
    {80, {1, 1}, StoredType::int8, INT8_MIN},
    {160, {1, 2}, StoredType::int16, INT16_MIN},
    {212, {2, 3}, StoredType::int12, -2048},
    {310, {3, 4}, StoredType::int16, -512},
    {311, {3, 4}, StoredType::int16, -512},
    {508, {1, 1}, StoredType::int8, INT8_MIN},
    {516, {1, 2}, StoredType::int16, INT16_MIN},
    {524, {1, 3}, StoredType::int24, -(1 << 23)},
}};

const Packing& packing_of(int format) noexcept {
  return *std::find_if(kPackings.begin(), kPackings.end() - 1,
                       [&](const auto& packing) { return packing.format == format; });
}

/// The lowest `bits` of a two's complement number.
std::int32_t signed_of(std::uint32_t value, unsigned bits) noexcept {
  const unsigned unused = 32 - bits;
  return static_cast<std::int32_t>(value << unused) >> unused;
}

/// A little-endian number.
std::uint32_t number(const std::byte* bytes, int count) noexcept {
  std::uint32_t value = 0;
  for (int i = count; i-- > 0;) {
    value = value << 8 | std::to_integer<std::uint32_t>(bytes[i]);
  }
  return value;
}

/// Low bytes first and last, both high nibbles between them.
std::int32_t sample_212(const std::byte* block, std::int64_t which) noexcept {
  const auto middle = std::to_integer<std::uint32_t>(block[1]);
  return which == 0 ? signed_of(number(block, 1) | (middle & 15U) << 8, 12)
                    : signed_of(number(block + 2, 1) | middle >> 4 << 8, 12);
}

/// Two words, each with a sample in bits 1 to 10; the third lies in bits 11 to 15 of both.
std::int32_t sample_310(const std::byte* block, std::int64_t which) noexcept {
  const std::uint32_t first = number(block, 2);
  const std::uint32_t second = number(block + 2, 2);
  return signed_of(which == 0   ? first >> 1 & 1023U
                   : which == 1 ? second >> 1 & 1023U
                                : first >> 11 | second >> 11 << 5,
                   10);
}

/// Ten bits each, from the lowest on.
std::int32_t sample_311(const std::byte* block, std::int64_t which) noexcept {
  return signed_of(number(block, 4) >> (10 * static_cast<unsigned>(which)) & 1023U, 10);
}

template <class Sample>
void each(std::span<std::int32_t> samples, Sample&& sample) noexcept {
  for (std::size_t i = 0; i < samples.size(); ++i) {
    samples[i] = sample(i);
  }
}
}  // namespace

bool is_wfdb_format(std::int64_t format) noexcept {
  return std::any_of(kPackings.begin(), kPackings.end(),
                     [&](const auto& packing) { return packing.format == format; });
}

bool is_wfdb_flac(int format) noexcept {
  return format > 500;
}

WfdbBlock wfdb_block(int format) noexcept {
  return packing_of(format).block;
}

std::int64_t wfdb_samples(int format, std::int64_t bytes) noexcept {
  const WfdbBlock block = wfdb_block(format);
  const std::int64_t rest = bytes % block.bytes;
  std::int64_t in_rest = 0;
  if (block.samples > 1) {
    // The third sample of format 310 needs the whole block, as does the second.
    in_rest = rest < 2 ? 0 : format == 311 && rest == 3 ? 2 : 1;
  }
  return bytes / block.bytes * block.samples + in_rest;
}

std::int64_t wfdb_bytes(int format, std::int64_t samples) noexcept {
  const WfdbBlock block = wfdb_block(format);
  const std::int64_t rest = samples % block.samples;
  const std::int64_t in_rest = rest == 0 ? 0 : rest == 1 ? 2 : format == 311 ? 3 : block.bytes;
  std::int64_t bytes = 0;
  if (__builtin_mul_overflow(samples / block.samples, block.bytes, &bytes) ||
      __builtin_add_overflow(bytes, in_rest, &bytes)) {
    return INT64_MAX;
  }
  return bytes;
}

StoredType wfdb_stored(int format) noexcept {
  return packing_of(format).stored;
}

std::optional<std::int32_t> wfdb_invalid(int format) noexcept {
  return format == 8 ? std::nullopt : std::optional(packing_of(format).invalid);
}

void unpack_wfdb(int format, std::span<const std::byte> bytes, std::int64_t skipped,
                 std::span<std::int32_t> samples) noexcept {
  const WfdbBlock block = wfdb_block(format);
  const auto at = [&](std::size_t i) {
    const std::int64_t sample = skipped + static_cast<std::int64_t>(i);
    return std::pair(bytes.data() + sample / block.samples * block.bytes, sample % block.samples);
  };
  const auto size = static_cast<int>(block.bytes);
  const auto bits = static_cast<unsigned>(8 * size);
  switch (format) {
    case 61:
      return each(samples, [&](std::size_t i) {
        const std::byte* from = at(i).first;
        return signed_of(number(from, 1) << 8 | number(from + 1, 1), 16);
      });
    case 80:
    case 160:
      return each(samples, [&](std::size_t i) {
        return static_cast<std::int32_t>(number(at(i).first, size)) - (1 << (bits - 1));
      });
    case 212:
      return each(samples, [&](std::size_t i) { return sample_212(at(i).first, at(i).second); });
    case 310:
      return each(samples, [&](std::size_t i) { return sample_310(at(i).first, at(i).second); });
    case 311:
      return each(samples, [&](std::size_t i) { return sample_311(at(i).first, at(i).second); });
    default:
      return each(samples,
                  [&](std::size_t i) { return signed_of(number(at(i).first, size), bits); });
  }
}

}  // namespace weir::formats
