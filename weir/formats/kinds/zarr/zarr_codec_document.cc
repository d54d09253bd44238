#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/kinds/zarr/zarr_codec.h"
#include "weir/formats/numpy_type.h"

namespace weir::formats {
namespace {
using Kind = ZarrCodec::Kind;
constexpr std::array<std::string_view, 3> kShuffles{"noshuffle", "shuffle", "bitshuffle"};
constexpr std::array<std::string_view, 6> kBloscCompressors{"zstd", "lz4",     "lz4hc",
                                                            "zlib", "blosclz", "snappy"};
constexpr std::size_t kMostCodecs = 8;

[[noreturn]] void unknown(std::string_view name) {
  throw Error(ErrorCode::unsupported,
              fmt::format("codecs: \"{}\" is not known; read are bytes, gzip, zlib, zstd, blosc, "
                          "crc32c, transpose, delta, sharding_indexed",
                          printable(name)));
}

int shuffle_of(std::string_view name) {
  const auto* found = std::find(kShuffles.begin(), kShuffles.end(), name);
  if (found == kShuffles.end()) {
    throw Error(ErrorCode::unsupported, fmt::format("codecs: blosc: shuffle \"{}\"", name));
  }
  return static_cast<int>(found - kShuffles.begin());
}

/// What stored bytes say themselves is read from them; the rest is for writing the same again.
ZarrCodec parse_blosc(const Value& settings) {
  ZarrCodec codec{.kind = Kind::blosc, .compressor = settings.at("cname").as_string()};
  if (std::find(kBloscCompressors.begin(), kBloscCompressors.end(), codec.compressor) ==
      kBloscCompressors.end()) {
    throw Error(ErrorCode::unsupported,
                fmt::format("codecs: blosc: compressor \"{}\"", printable(codec.compressor)));
  }
  if (const Value* level = settings.find("clevel"); level != nullptr) {
    codec.level = static_cast<int>(std::clamp<std::int64_t>(level->as_integer(), 0, 9));
  }
  // Version 2 counts the shuffles; -1 there means the one that suits the type.
  if (const Value* shuffle = settings.find("shuffle"); shuffle != nullptr && shuffle->is_string()) {
    codec.shuffle = shuffle_of(shuffle->as_string());
  }
  if (const Value* size = settings.find("typesize"); size != nullptr && !size->is_null()) {
    codec.type_bytes = std::clamp<std::int64_t>(size->as_integer(), 1, 255);
  }
  return codec;
}

/// Whether it lists every axis once is checked against the shape.
ZarrCodec parse_transpose(const Value& settings) {
  ZarrCodec codec{.kind = Kind::transpose};
  for (const auto& axis : settings.at("order").as_array()) {
    if (axis.as_integer() < 0 || axis.as_integer() > 31) {
      throw Error(ErrorCode::corrupt_data,
                  fmt::format("codecs: transpose: axis {}", axis.as_integer()));
    }
    codec.order.push_back(static_cast<std::size_t>(axis.as_integer()));
  }
  return codec;
}

/// Delta of numcodecs; `dtype` is the array's where it is known.
ZarrCodec parse_delta(const Value& settings, std::string_view dtype) {
  const std::string& given = settings.at("dtype").as_string();
  const Value* stored = settings.find("astype");
  const bool other = stored != nullptr && !stored->is_null() && *stored != Value(given);
  const NumpyType type = numpy_type(given);
  const bool differs = !dtype.empty() && (numpy_type(dtype).type != type.type ||
                                          numpy_type(dtype).big_endian != type.big_endian);
  if (other || differs || type.type == StoredType::float16) {
    throw Error(ErrorCode::unsupported,
                fmt::format("codecs: delta: of {} stored as {} in an array of {}", given,
                            other ? to_json(*stored) : given, dtype.empty() ? "its type" : dtype));
  }
  return {.kind = Kind::delta};
}

/// Codecs both versions know by the same names.
ZarrCodec parse_known(std::string_view name, const Value& settings, std::string_view dtype) {
  if (name == "zstd") {
    return {.kind = Kind::zstd};
  }
  if (name == "gzip") {
    return {.kind = Kind::gzip};
  }
  if (name == "zlib") {
    return {.kind = Kind::zlib};
  }
  if (name == "blosc") {
    return parse_blosc(settings);
  }
  if (name == "delta") {
    return parse_delta(settings, dtype);
  }
  unknown(name);
}

ZarrCodec parse_codec(const Value& item) {
  constexpr std::string_view kNumcodecs =
      "numcodecs.";  // What zarr-python calls those of version 2.
  const std::string& name = item.is_string() ? item.as_string() : item.at("name").as_string();
  const Value* found = item.find("configuration");
  const Value settings = found != nullptr ? *found : Value::object();
  if (name == "bytes") {
    const Value* endian = settings.find("endian");
    if (endian != nullptr && *endian != Value("big") && *endian != Value("little")) {
      throw Error(ErrorCode::corrupt_data,
                  fmt::format("codecs: bytes: endian {}", to_json(*endian)));
    }
    return {.kind = Kind::bytes, .big_endian = endian != nullptr && *endian == Value("big")};
  }
  if (name == "crc32c") {
    return {.kind = Kind::crc32c};
  }
  if (name == "transpose") {
    return parse_transpose(settings);
  }
  const bool version_2 = name.starts_with(kNumcodecs);
  return parse_known(version_2 ? name.substr(kNumcodecs.size()) : name, settings, "");
}

/// Codecs of arrays stand in front of `bytes`, those of bytes behind it.
void check_order(const ZarrCodecs& codecs) {
  bool after = false;
  for (const auto& codec : codecs) {
    const bool of_arrays = codec.kind == Kind::transpose || codec.kind == Kind::delta;
    if (codec.kind == Kind::bytes ? after : of_arrays == after) {
      throw Error(ErrorCode::corrupt_data,
                  "codecs: \"bytes\" must stand once, behind those of arrays and in front of those "
                  "of bytes");
    }
    after = after || codec.kind == Kind::bytes;
  }
  if (!after || codecs.size() > kMostCodecs) {
    throw Error(ErrorCode::corrupt_data, after ? fmt::format("codecs: {} of them", codecs.size())
                                               : std::string("codecs: \"bytes\" is missing"));
  }
}
}  // namespace

ZarrCodecs parse_codecs(const Value& list) {
  ZarrCodecs codecs;
  for (const auto& item : list.as_array()) {
    codecs.push_back(parse_codec(item));
  }
  check_order(codecs);
  return codecs;
}

ZarrCodecs parse_v2_codecs(const Value& compressor, const Value& filters, std::string_view dtype) {
  ZarrCodecs codecs;
  if (!filters.is_null()) {
    for (const auto& filter : filters.as_array()) {
      const std::string& id = filter.at("id").as_string();
      if (id != "delta") {
        unknown(id);
      }
      codecs.push_back(parse_known(id, filter, dtype));
    }
  }
  codecs.push_back({.kind = Kind::bytes, .big_endian = numpy_type(dtype).big_endian});
  if (!compressor.is_null()) {
    const std::string& id = compressor.at("id").as_string();
    if (id == "delta") {
      unknown(id);
    }
    codecs.push_back(parse_known(id, compressor, dtype));
  }
  check_order(codecs);
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
      WEIR_CHECK(codec.kind == Kind::crc32c);  // No others are written.
      item.set("name", "crc32c");
    }
    if (!settings.as_object().empty()) {
      item.set("configuration", std::move(settings));
    }
    list.push_back(std::move(item));
  }
  return list;
}

}  // namespace weir::formats
