#include "weir/formats/kinds/zarr/zarr_codec.h"

#include <blosc.h>
#include <fmt/format.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/kinds/zarr/crc32c.h"
#include "weir/formats/stored_samples.h"

namespace weir::formats {
namespace {
using Kind = ZarrCodec::Kind;
constexpr std::array<std::string_view, 3> kShuffles{"noshuffle", "shuffle", "bitshuffle"};
constexpr std::array<std::string_view, 6> kBloscCompressors{"zstd", "lz4",     "lz4hc",
                                                            "zlib", "blosclz", "snappy"};

[[noreturn]] void damaged(const std::string& what) {
  throw Error(ErrorCode::corrupt_data, what);
}

int shuffle_of(std::string_view name) {
  const auto* found = std::find(kShuffles.begin(), kShuffles.end(), name);
  if (found == kShuffles.end()) {
    throw Error(ErrorCode::unsupported, fmt::format("codecs: blosc: shuffle \"{}\"", name));
  }
  return static_cast<int>(found - kShuffles.begin());
}

ZarrCodec parse_blosc(const Value& settings) {
  ZarrCodec codec{.kind = Kind::blosc, .compressor = settings.at("cname").as_string()};
  if (std::find(kBloscCompressors.begin(), kBloscCompressors.end(), codec.compressor) ==
      kBloscCompressors.end()) {
    throw Error(ErrorCode::unsupported,
                fmt::format("codecs: blosc: compressor \"{}\"", codec.compressor));
  }
  codec.level =
      static_cast<int>(std::clamp<std::int64_t>(settings.at("clevel").as_integer(), 0, 9));
  codec.shuffle = shuffle_of(settings.at("shuffle").as_string());
  if (const Value* size = settings.find("typesize"); size != nullptr && !size->is_null()) {
    codec.type_bytes = std::clamp<std::int64_t>(size->as_integer(), 1, 255);
  }
  return codec;
}

ZarrCodec parse_codec(const Value& item) {
  const std::string& name = item.is_string() ? item.as_string() : item.at("name").as_string();
  const Value* found = item.find("configuration");
  const Value settings = found != nullptr ? *found : Value::object();
  if (name == "bytes") {
    const Value* endian = settings.find("endian");
    return {.kind = Kind::bytes, .big_endian = endian != nullptr && *endian == Value("big")};
  }
  if (name == "zstd") {
    return {.kind = Kind::zstd};
  }
  if (name == "blosc") {
    return parse_blosc(settings);
  }
  if (name == "crc32c") {
    return {.kind = Kind::crc32c};
  }
  throw Error(
      ErrorCode::unsupported,
      fmt::format("codecs: \"{}\"; read are bytes, zstd, blosc, crc32c, sharding_indexed", name));
}

std::vector<std::byte> compress_zstd(const ZarrCodec& codec, std::span<const std::byte> in) {
  std::vector<std::byte> out(ZSTD_compressBound(in.size()));
  const std::size_t size = ZSTD_compress(out.data(), out.size(), in.data(), in.size(), codec.level);
  WEIR_CHECK(ZSTD_isError(size) == 0);
  out.resize(size);
  return out;
}

std::vector<std::byte> compress_blosc(const ZarrCodec& codec, std::span<const std::byte> in) {
  std::vector<std::byte> out(in.size() + BLOSC_MAX_OVERHEAD);
  const int size = blosc_compress_ctx(
      codec.level, codec.shuffle, static_cast<std::size_t>(codec.type_bytes), in.size(), in.data(),
      out.data(), out.size(), codec.compressor.c_str(), 0, 1);
  WEIR_CHECK(size > 0);
  out.resize(static_cast<std::size_t>(size));
  return out;
}

std::vector<std::byte> with_checksum(std::vector<std::byte> bytes) {
  const std::uint32_t sum = crc32c(bytes);
  const auto* tail = reinterpret_cast<const std::byte*>(&sum);
  bytes.insert(bytes.end(), tail, tail + sizeof sum);
  return bytes;
}

std::span<const std::byte> without_checksum(std::span<const std::byte> bytes) {
  std::uint32_t sum = 0;
  if (bytes.size() < sizeof sum) {
    damaged(fmt::format("{} bytes are too few for a checksum", bytes.size()));
  }
  const auto body = bytes.first(bytes.size() - sizeof sum);
  std::memcpy(&sum, bytes.data() + body.size(), sizeof sum);
  if (sum != crc32c(body)) {
    damaged(fmt::format("checksum {:08x}, computed {:08x}", sum, crc32c(body)));
  }
  return body;
}

/// Fills `out` from its front; tells how much of it.
std::size_t decompress_zstd(std::span<const std::byte> in, std::span<std::byte> out) {
  const std::size_t size = ZSTD_decompress(out.data(), out.size(), in.data(), in.size());
  if (ZSTD_isError(size) != 0) {
    damaged(fmt::format("zstd: {}", ZSTD_getErrorName(size)));
  }
  return size;
}

std::size_t decompress_blosc(std::span<const std::byte> in, std::span<std::byte> out) {
  std::size_t size = 0;
  if (in.size() < BLOSC_MIN_HEADER_LENGTH ||
      blosc_cbuffer_validate(in.data(), in.size(), &size) != 0 || size > out.size()) {
    damaged(fmt::format("blosc: {} bytes that do not hold {}", in.size(), out.size()));
  }
  const int got = size == 0 ? 0 : blosc_decompress_ctx(in.data(), out.data(), size, 1);
  if (got < 0 || static_cast<std::size_t>(got) != size) {
    damaged(fmt::format("blosc: cannot be decompressed ({})", got));
  }
  return size;
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
    codecs.push_back({.kind = Kind::blosc,
                      .level = level,
                      .compressor = parts[1],
                      .shuffle = parts[2] == "none" ? 0 : shuffle_of(parts[2]),
                      .type_bytes = type_bytes});
  }
  return codecs;
}

ZarrCodecs parse_codecs(const Value& list) {
  ZarrCodecs codecs;
  for (const auto& item : list.as_array()) {
    codecs.push_back(parse_codec(item));
    if ((codecs.back().kind == Kind::bytes) != (codecs.size() == 1)) {
      damaged("codecs: \"bytes\" must stand first, and only there");
    }
  }
  if (codecs.empty() || codecs.size() > 8) {
    damaged(fmt::format("codecs: {} of them", codecs.size()));
  }
  return codecs;
}

Value to_value(const ZarrCodecs& codecs) {
  Value list = Value::array();
  for (const auto& codec : codecs) {
    Value settings = Value::object();
    Value item = Value::object();
    if (codec.kind == Kind::bytes) {
      item.set("name", "bytes");
      settings.set("endian", codec.big_endian ? "big" : "little");
    } else if (codec.kind == Kind::zstd) {
      item.set("name", "zstd");
      settings.set("level", codec.level);
      settings.set("checksum", false);
    } else if (codec.kind == Kind::blosc) {
      item.set("name", "blosc");
      settings.set("cname", codec.compressor);
      settings.set("clevel", codec.level);
      settings.set("shuffle", kShuffles[static_cast<std::size_t>(codec.shuffle)]);
      settings.set("typesize", codec.type_bytes);
      settings.set("blocksize", 0);
    } else {
      item.set("name", "crc32c");
    }
    if (!settings.as_object().empty()) {
      item.set("configuration", std::move(settings));
    }
    list.push_back(std::move(item));
  }
  return list;
}

std::vector<std::byte> encode(const ZarrCodecs& codecs, std::span<const std::byte> samples) {
  WEIR_CHECK(!codecs.empty() && !codecs[0].big_endian);
  std::vector<std::byte> bytes;
  std::span<const std::byte> in = samples;
  for (std::size_t i = 1; i < codecs.size(); ++i) {
    const auto& codec = codecs[i];
    bytes = codec.kind == Kind::zstd    ? compress_zstd(codec, in)
            : codec.kind == Kind::blosc ? compress_blosc(codec, in)
                                        : with_checksum({in.begin(), in.end()});
    in = bytes;
  }
  return codecs.size() > 1 ? bytes : std::vector<std::byte>(in.begin(), in.end());
}

void decode(const ZarrCodecs& codecs, std::span<const std::byte> stored, std::int64_t type_bytes,
            std::span<std::byte> samples) {
  std::vector<std::byte> held;
  for (std::size_t i = codecs.size() - 1; i > 0; --i) {
    const auto& codec = codecs[i];
    if (codec.kind == Kind::crc32c) {
      stored = without_checksum(stored);
      continue;
    }
    // What an inner codec is given may be a little longer than the samples.
    std::vector<std::byte> out(samples.size() + (i > 1 ? samples.size() / 8 + 1024 : 0));
    const std::size_t size =
        codec.kind == Kind::zstd ? decompress_zstd(stored, out) : decompress_blosc(stored, out);
    out.resize(size);
    held = std::move(out);
    stored = held;
  }
  if (stored.size() != samples.size()) {
    damaged(fmt::format("holds {} bytes of samples, not {}", stored.size(), samples.size()));
  }
  std::memcpy(samples.data(), stored.data(), stored.size());
  if (codecs[0].big_endian) {
    swap_byte_order(samples, type_bytes);
  }
}

}  // namespace weir::formats
