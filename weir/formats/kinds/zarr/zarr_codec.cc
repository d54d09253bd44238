#include "weir/formats/kinds/zarr/zarr_codec.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/kinds/zarr/zarr_array_codec.h"
#include "weir/formats/kinds/zarr/zarr_compression.h"
#include "weir/formats/running_sum.h"
#include "weir/formats/stored_samples.h"

namespace weir::formats {
namespace {
using Kind = ZarrCodec::Kind;

std::size_t bytes_place(const ZarrCodecs& codecs) {
  std::size_t at = 0;
  while (codecs[at].kind != Kind::bytes) {
    ++at;
  }
  return at;
}

std::size_t count_transposes(const ZarrCodecs& codecs) noexcept {
  return static_cast<std::size_t>(
      std::count_if(codecs.begin(), codecs.end(),
                    [](const auto& codec) { return codec.kind == Kind::transpose; }));
}

void require_size(std::size_t size, std::span<const std::byte> samples) {
  if (size != samples.size()) {
    throw Error(ErrorCode::corrupt_data,
                fmt::format("holds {} bytes of samples, not {}", size, samples.size()));
  }
}

/// Through the codecs of bytes, from the last to the first, which fills `samples`.
void decode_bytes(std::span<const ZarrCodec> codecs, std::span<const std::byte> stored,
                  std::span<std::byte> samples) {
  std::unique_ptr<std::byte[]> held;
  for (std::size_t i = codecs.size(); i-- > 0;) {
    if (codecs[i].kind == Kind::crc32c) {
      stored = without_checksum(stored);
    } else if (i == 0) {
      require_size(decompress(codecs[i], stored, samples), samples);
      return;
    } else {
      // What an inner codec is given may be a little longer than the samples.
      const std::size_t most = samples.size() + samples.size() / 8 + 1024;
      auto out = std::make_unique_for_overwrite<std::byte[]>(most);
      const std::size_t size = decompress(codecs[i], stored, {out.get(), most});
      held = std::move(out);
      stored = {held.get(), size};
    }
  }
  require_size(stored.size(), samples);
  std::memcpy(samples.data(), stored.data(), stored.size());
}
}  // namespace

ZarrCodecs named_codecs(std::string_view name, int level, std::int64_t type_bytes) {
  ZarrCodecs codecs{{.kind = Kind::bytes}};
  const auto parts = split(name, '-');
  const bool zstd = name == "zstd";
  const bool blosc = parts.size() == 3 && parts[0] == "blosc" &&
                     (parts[1] == "zstd" || parts[1] == "lz4") &&
                     (parts[2] == "bitshuffle" || parts[2] == "shuffle" || parts[2] == "none");
  if (!zstd && !blosc && name != "none") {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("codec: \"{}\" is not known; known: zstd, none and "
                            "blosc-(zstd|lz4)-(bitshuffle|shuffle|none)",
                            name));
  }
  const int most = zstd ? 22 : 9;
  if (level < (zstd ? 1 : 0) || level > most) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("level: {} is not between {} and {}", level, zstd ? 1 : 0, most));
  }
  if (zstd) {
    codecs.push_back({.kind = Kind::zstd, .level = level});
  } else if (blosc) {
    const int shuffle = parts[2] == "none" ? 0 : parts[2] == "shuffle" ? 1 : 2;
    codecs.push_back({.kind = Kind::blosc,
                      .level = level,
                      .compressor = parts[1],
                      .shuffle = shuffle,
                      .type_bytes = type_bytes});
  }
  return codecs;
}

std::vector<std::byte> encode(const ZarrCodecs& codecs, std::span<const std::byte> samples) {
  WEIR_CHECK(!codecs.empty() && codecs[0].kind == Kind::bytes && !codecs[0].big_endian);
  std::vector<std::byte> bytes;
  std::span<const std::byte> in = samples;
  for (std::size_t i = 1; i < codecs.size(); ++i) {
    bytes = codecs[i].kind == Kind::crc32c ? with_checksum({in.begin(), in.end()})
                                           : compress(codecs[i], in);
    in = bytes;
  }
  return codecs.size() > 1 ? bytes : std::vector<std::byte>(in.begin(), in.end());
}

void decode(const ZarrCodecs& codecs, std::span<const std::byte> stored, const ZarrChunkForm& form,
            std::span<std::byte> samples) {
  const std::size_t bytes = bytes_place(codecs);
  decode_bytes(std::span(codecs).subspan(bytes + 1), stored, samples);
  const auto sample_bytes = static_cast<std::size_t>(stored_bytes(form.type));
  if (codecs[bytes].big_endian) {
    swap_byte_order(samples, static_cast<std::int64_t>(sample_bytes));
  }
  if (bytes == 0) {
    return;
  }
  // Each transpose was given the shape that those in front of it left.
  std::vector<std::vector<std::int64_t>> shapes{{form.shape.begin(), form.shape.end()}};
  for (std::size_t i = 0; i < bytes; ++i) {
    auto shape = shapes.back();
    for (std::size_t axis = 0; axis < codecs[i].order.size(); ++axis) {
      shape[axis] = shapes.back().at(codecs[i].order[axis]);
    }
    shapes.push_back(std::move(shape));
  }
  for (std::size_t i = bytes; i-- > 0;) {
    if (codecs[i].kind == Kind::delta) {
      // numcodecs takes the chunk for one row, whatever its shape.
      const auto count = static_cast<std::int64_t>(samples.size() / sample_bytes);
      sum_along_rows(form.type, samples, count);
      continue;
    }
    const auto copy = std::make_unique_for_overwrite<std::byte[]>(samples.size());
    std::memcpy(copy.get(), samples.data(), samples.size());
    undo_transpose({copy.get(), samples.size()}, shapes[i], codecs[i].order, sample_bytes, samples);
  }
}

std::size_t decode_buffers(const ZarrCodecs& codecs) noexcept {
  // The stored bytes, and what lies between two codecs or in front of a transpose.
  return 1 + (codecs.size() > 2 || count_transposes(codecs) > 0 ? 2U : 0U);
}

}  // namespace weir::formats
