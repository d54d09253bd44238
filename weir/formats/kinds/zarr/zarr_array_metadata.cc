#include "weir/formats/kinds/zarr/zarr_array_metadata.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/stored_samples.h"

namespace weir::formats {
namespace {
constexpr std::int64_t kLargestChunk = std::int64_t{1} << 30;
constexpr std::int64_t kMostChunksPerShard = std::int64_t{1} << 24;
constexpr std::size_t kMostAxes = 8;

[[noreturn]] void damaged(const std::string& what) {
  throw Error(ErrorCode::corrupt_data, what);
}

std::vector<std::int64_t> lengths(const Value& list, std::int64_t least) {
  std::vector<std::int64_t> result;
  for (const auto& item : list.as_array()) {
    result.push_back(item.as_integer());
    if (result.back() < least) {
      damaged(fmt::format("{} cannot be", result.back()));
    }
  }
  return result;
}

void parse_shape(const Value& document, ZarrArrayMetadata& metadata) {
  metadata.shape = in_context("shape", [&] { return lengths(document.at("shape"), 0); });
  const Value& grid = document.at("chunk_grid");
  if (grid.at("name") != Value("regular")) {
    throw Error(ErrorCode::unsupported, "chunk_grid: only regular grids are read");
  }
  metadata.shard = in_context(
      "chunk_grid", [&] { return lengths(grid.at("configuration").at("chunk_shape"), 1); });
  metadata.chunk = metadata.shard;
  metadata.key_axes = metadata.shape.size();
}

void parse_sharding(const Value& settings, ZarrArrayMetadata& metadata) {
  metadata.sharded = true;
  metadata.chunk =
      in_context("chunk_shape", [&] { return lengths(settings.at("chunk_shape"), 1); });
  metadata.codecs = parse_codecs(settings.at("codecs"));
  metadata.index_codecs =
      in_context("index_codecs", [&] { return parse_codecs(settings.at("index_codecs")); });
  for (const auto& codec : metadata.index_codecs) {
    if (codec.kind != ZarrCodec::Kind::crc32c && codec.kind != ZarrCodec::Kind::bytes) {
      throw Error(ErrorCode::unsupported, "index_codecs: a compressed or transposed index");
    }
  }
  if (const Value* location = settings.find("index_location")) {
    if (*location != Value("start") && *location != Value("end")) {
      damaged(
          fmt::format("index_location: {} is neither \"start\" nor \"end\"", to_json(*location)));
    }
    metadata.index_at_end = *location != Value("start");
  }
}

/// How chunk files are called: only from numbers, so that no name leads out of the folder.
void parse_keys(const Value& keys, ZarrArrayMetadata& metadata) {
  const Value& encoding = keys.at("name");
  if (encoding != Value("default") && encoding != Value("v2")) {
    throw Error(ErrorCode::unsupported,
                fmt::format("chunk_key_encoding: {} is not known; read are \"default\" and \"v2\"",
                            to_json(encoding)));
  }
  metadata.key_prefix = encoding == Value("default");
  metadata.separator = metadata.key_prefix ? '/' : '.';
  const Value* settings = keys.find("configuration");
  const Value* separator = settings != nullptr ? settings->find("separator") : nullptr;
  if (separator == nullptr) {
    return;
  }
  if (*separator != Value(".") && *separator != Value("/")) {
    damaged(fmt::format("chunk_key_encoding: separator {} is neither \".\" nor \"/\"",
                        to_json(*separator)));
  }
  metadata.separator = separator->as_string()[0];
}

void parse_storage(const Value& document, ZarrArrayMetadata& metadata) {
  const Value& codecs = document.at("codecs");
  const auto& list = codecs.as_array();
  const Value* first = list.empty() ? nullptr : list[0].find("name");
  if (first != nullptr && *first == Value("sharding_indexed")) {
    if (list.size() > 1) {
      throw Error(ErrorCode::unsupported, "codecs: others after sharding_indexed");
    }
    parse_sharding(list[0].at("configuration"), metadata);
  } else {
    metadata.codecs = parse_codecs(codecs);
  }
  if (const Value* transformers = document.find("storage_transformers");
      transformers != nullptr && !transformers->as_array().empty()) {
    throw Error(ErrorCode::unsupported, "storage_transformers: none are known");
  }
  if (const Value* keys = document.find("chunk_key_encoding")) {
    parse_keys(*keys, metadata);
  }
}

/// The bits of a float as "0x7fc00000".
std::optional<double> parse_bits(const std::string& word, StoredType type) {
  const bool single = type == StoredType::float32;
  if ((!single && type != StoredType::float64) || word.size() != (single ? 10U : 18U) ||
      !word.starts_with("0x") ||
      word.find_first_not_of("0123456789abcdefABCDEF", 2) != std::string::npos) {
    return std::nullopt;
  }
  const std::uint64_t bits = std::stoull(word.substr(2), nullptr, 16);
  return single ? static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)))
                : std::bit_cast<double>(bits);
}

/// A list of codecs without sharding inside: the only place for it is the first.
void check_codec_axes(const ZarrCodecs& codecs, std::size_t axes) {
  for (const auto& codec : codecs) {
    auto sorted = codec.order;
    std::sort(sorted.begin(), sorted.end());
    std::vector<std::size_t> every(axes);
    std::iota(every.begin(), every.end(), std::size_t{0});
    if (codec.kind == ZarrCodec::Kind::transpose && sorted != every) {
      damaged(fmt::format("codecs: transpose: the order does not list each of {} axes once", axes));
    }
  }
}
}  // namespace

std::optional<double> parse_zarr_fill(const Value& value, StoredType type) {
  if (value.is_null()) {
    return std::nullopt;
  }
  if (!value.is_string()) {
    return value.is_bool() ? (value.as_bool() ? 1.0 : 0.0) : value.as_number();
  }
  const std::string& word = value.as_string();
  if (word == "NaN") {
    return std::numeric_limits<double>::quiet_NaN();
  }
  if (word == "Infinity" || word == "-Infinity") {
    return word[0] == '-' ? -INFINITY : INFINITY;
  }
  if (const auto bits = parse_bits(word, type)) {
    return bits;
  }
  throw Error(ErrorCode::unsupported, fmt::format("fill_value: \"{}\"", printable(word)));
}

void check_zarr_sizes(const ZarrArrayMetadata& metadata) {
  const std::size_t axes = metadata.shape.size();
  if (axes == 0 || axes > kMostAxes) {
    throw Error(ErrorCode::unsupported, fmt::format("shape: {} dimensions", axes));
  }
  if (metadata.chunk.size() != axes || metadata.shard.size() != axes) {
    damaged(fmt::format("chunks of {} dimensions in shards of {}, but the shape has {}",
                        metadata.chunk.size(), metadata.shard.size(), axes));
  }
  for (std::size_t axis = 0; axis < axes; ++axis) {
    if (metadata.shard[axis] % metadata.chunk[axis] != 0) {
      damaged(fmt::format("sharding_indexed: chunks of {} do not divide shards of {}",
                          metadata.chunk[axis], metadata.shard[axis]));
    }
  }
  check_codec_axes(metadata.codecs, axes);

  std::int64_t bytes = stored_bytes(metadata.type);
  std::int64_t inner = 1;
  for (std::size_t axis = 0; axis < metadata.chunk.size(); ++axis) {
    if (__builtin_mul_overflow(bytes, metadata.chunk[axis], &bytes) || bytes > kLargestChunk ||
        __builtin_mul_overflow(inner, metadata.chunks_per_shard(axis), &inner) ||
        inner > kMostChunksPerShard) {
      throw Error(
          ErrorCode::unsupported,
          fmt::format("chunk_grid: chunks of more than {} or more than {} chunks in a shard",
                      "1 GiB", kMostChunksPerShard));
    }
  }
}

std::int64_t ZarrArrayMetadata::chunk_samples() const noexcept {
  std::int64_t samples = 1;
  for (const std::int64_t length : chunk) {
    samples *= length;
  }
  return samples;
}

std::int64_t ZarrArrayMetadata::chunk_bytes() const {
  return chunk_samples() * stored_bytes(type);
}

std::int64_t ZarrArrayMetadata::chunks_per_shard() const noexcept {
  std::int64_t chunks = 1;
  for (std::size_t axis = 0; axis < chunk.size(); ++axis) {
    chunks *= chunks_per_shard(axis);
  }
  return chunks;
}

std::int64_t ZarrArrayMetadata::shards(std::size_t axis) const noexcept {
  return shape[axis] / shard[axis] + (shape[axis] % shard[axis] != 0 ? 1 : 0);
}

ZarrArrayMetadata parse_array_metadata(const Value& document) {
  if (document.at("node_type") != Value("array")) {
    damaged("node_type: is no array");
  }
  ZarrArrayMetadata metadata;
  parse_shape(document, metadata);
  metadata.type = in_context("data_type", [&] {
    const std::string& word = document.at("data_type").as_string();
    const StoredType type = word == "bool" ? StoredType::uint8 : stored_type(word);
    stored_bytes(type);
    return type;
  });
  parse_storage(document, metadata);
  if (const Value* fill = document.find("fill_value")) {
    metadata.fill = parse_zarr_fill(*fill, metadata.type);
  }
  if (const Value* names = document.find("dimension_names");
      names != nullptr && !names->is_null()) {
    for (const auto& name : names->as_array()) {
      metadata.dimension_names.push_back(name.is_string() ? name.as_string() : "");
    }
  }
  if (const Value* attributes = document.find("attributes")) {
    metadata.attributes = *attributes;
  }
  check_zarr_sizes(metadata);
  return metadata;
}

Value to_value(const ZarrArrayMetadata& metadata) {
  const auto list = [](const auto& items) {
    Value result = Value::array();
    for (const auto& item : items) {
      result.push_back(item);
    }
    return result;
  };
  const auto named = [](std::string_view name, std::string_view key, Value value) {
    Value result = Value::object();
    result.set("name", name);
    result.set("configuration", Value::object()).set(key, std::move(value));
    return result;
  };
  Value codecs = to_value(metadata.codecs);
  if (metadata.sharded) {
    Value sharding = named("sharding_indexed", "chunk_shape", list(metadata.chunk));
    Value& settings = *sharding.find("configuration");
    settings.set("codecs", std::move(codecs));
    settings.set("index_codecs", to_value(metadata.index_codecs));
    settings.set("index_location", "end");
    codecs = Value(Value::Array{std::move(sharding)});
  }
  Value document = Value::object();
  document.set("zarr_format", 3);
  document.set("node_type", "array");
  document.set("shape", list(metadata.shape));
  document.set("data_type", name(metadata.type));
  document.set("chunk_grid", named("regular", "chunk_shape", list(metadata.shard)));
  document.set("chunk_key_encoding", named("default", "separator", "/"));
  const double fill = metadata.fill.value_or(0);
  const bool real = metadata.type == StoredType::float32 || metadata.type == StoredType::float64;
  document.set("fill_value", real ? Value(fill) : Value(static_cast<std::int64_t>(fill)));
  document.set("codecs", std::move(codecs));
  document.set("attributes", metadata.attributes);
  document.set("dimension_names", list(metadata.dimension_names));
  return document;
}

Value group_document(Value attributes) {
  Value document = Value::object();
  document.set("zarr_format", 3);
  document.set("node_type", "group");
  document.set("attributes", std::move(attributes));
  return document;
}

}  // namespace weir::formats
