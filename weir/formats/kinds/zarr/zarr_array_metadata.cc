#include "weir/formats/kinds/zarr/zarr_array_metadata.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/input_file.h"
#include "weir/formats/json.h"
#include "weir/formats/stored_samples.h"

namespace weir::formats {
namespace {
constexpr std::int64_t kLargestChunk = std::int64_t{1} << 30;
constexpr std::int64_t kMostChunksPerShard = std::int64_t{1} << 24;

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
  if (metadata.shape.empty() || metadata.shape.size() > 2) {
    throw Error(ErrorCode::unsupported,
                fmt::format("shape: {} dimensions; one or two are read", metadata.shape.size()));
  }
  const Value& grid = document.at("chunk_grid");
  if (grid.at("name") != Value("regular")) {
    throw Error(ErrorCode::unsupported, "chunk_grid: only regular grids are read");
  }
  metadata.shard = in_context(
      "chunk_grid", [&] { return lengths(grid.at("configuration").at("chunk_shape"), 1); });
  if (metadata.shard.size() != metadata.shape.size()) {
    damaged(fmt::format("chunk_grid: {} dimensions, but the shape has {}", metadata.shard.size(),
                        metadata.shape.size()));
  }
  metadata.chunk = metadata.shard;
}

void parse_sharding(const Value& settings, ZarrArrayMetadata& metadata) {
  metadata.sharded = true;
  metadata.chunk =
      in_context("chunk_shape", [&] { return lengths(settings.at("chunk_shape"), 1); });
  metadata.codecs = parse_codecs(settings.at("codecs"));
  metadata.index_codecs =
      in_context("index_codecs", [&] { return parse_codecs(settings.at("index_codecs")); });
  for (std::size_t i = 1; i < metadata.index_codecs.size(); ++i) {
    if (metadata.index_codecs[i].kind != ZarrCodec::Kind::crc32c) {
      throw Error(ErrorCode::unsupported, "index_codecs: a compressed index");
    }
  }
  if (const Value* location = settings.find("index_location")) {
    metadata.index_at_end = *location != Value("start");
  }
  if (metadata.chunk.size() != metadata.shard.size()) {
    damaged("sharding_indexed: chunk_shape has other dimensions than the array");
  }
  for (std::size_t axis = 0; axis < metadata.chunk.size(); ++axis) {
    if (metadata.shard[axis] % metadata.chunk[axis] != 0) {
      damaged(fmt::format("sharding_indexed: chunks of {} do not divide shards of {}",
                          metadata.chunk[axis], metadata.shard[axis]));
    }
  }
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
    if (keys->at("name") != Value("default")) {
      throw Error(ErrorCode::unsupported, "chunk_key_encoding: only \"default\" is read");
    }
    const Value* settings = keys->find("configuration");
    const Value* separator = settings != nullptr ? settings->find("separator") : nullptr;
    metadata.separator = separator != nullptr && *separator == Value(".") ? '.' : '/';
  }
}

/// A number, or one of the words JSON has no number for.
std::optional<double> parse_fill(const Value& value) {
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
  throw Error(ErrorCode::unsupported, fmt::format("fill_value: \"{}\"", word));
}

/// So that a document cannot make us allocate what no sensible file has.
void check_sizes(const ZarrArrayMetadata& metadata) {
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
}  // namespace

std::int64_t ZarrArrayMetadata::chunk_samples() const noexcept {
  std::int64_t samples = 1;
  for (const std::int64_t length : chunk) {
    samples *= length;
  }
  return samples;
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
    const StoredType type = stored_type(document.at("data_type").as_string());
    stored_bytes(type);
    return type;
  });
  parse_storage(document, metadata);
  if (const Value* fill = document.find("fill_value")) {
    metadata.fill = parse_fill(*fill);
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
  check_sizes(metadata);
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

Value read_zarr_document(const std::filesystem::path& folder) {
  const auto file = folder / "zarr.json";
  if (!stands_at(file) && (stands_at(folder / ".zgroup") || stands_at(folder / ".zarray"))) {
    throw Error(ErrorCode::unsupported,
                fmt::format("{}: Zarr version 2 is not read yet; version 3 is", folder.string()));
  }
  return in_context(file.string(), [&] {
    Value document = parse_json(read_text_file(file.string()));
    const Value* version = document.find("zarr_format");
    if (version == nullptr || *version != Value(3)) {
      throw Error(version == nullptr ? ErrorCode::corrupt_data : ErrorCode::unsupported,
                  version == nullptr
                      ? "zarr_format: missing"
                      : fmt::format("zarr_format: {} is not read; 3 is", to_json(*version)));
    }
    return document;
  });
}

Value group_document(Value attributes) {
  Value document = Value::object();
  document.set("zarr_format", 3);
  document.set("node_type", "group");
  document.set("attributes", std::move(attributes));
  return document;
}

}  // namespace weir::formats
