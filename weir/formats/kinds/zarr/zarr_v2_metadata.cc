#include <fmt/format.h>

#include <optional>
#include <utility>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/kinds/zarr/zarr_array_metadata.h"
#include "weir/formats/numpy_type.h"

namespace weir::formats {
namespace {
const Value& field(const Value& document, std::string_view key) {
  static const Value kNone;
  const Value* value = document.find(key);
  return value == nullptr ? kNone : *value;
}

std::vector<std::int64_t> lengths(const Value& document, std::string_view key, std::int64_t least) {
  return in_context(key, [&] {
    std::vector<std::int64_t> result;
    for (const auto& item : document.at(key).as_array()) {
      result.push_back(item.as_integer());
      if (result.back() < least) {
        throw Error(ErrorCode::corrupt_data, fmt::format("{} cannot be", result.back()));
      }
    }
    return result;
  });
}

/// "<i2", and for text of fixed width the type of its letters, of which there are `width`.
std::string letter_type(const Value& dtype, std::int64_t& width) {
  width = 0;
  if (!dtype.is_string()) {
    throw Error(ErrorCode::unsupported, "records of several fields");
  }
  const std::string& text = dtype.as_string();
  const bool text_of_points = text.size() > 2 && text[1] == 'U';
  const bool text_of_bytes = text.size() > 2 && text[1] == 'S';
  if (!text_of_points && !text_of_bytes) {
    return text;
  }
  width = parse_integer(text.substr(2));
  if (width < 1) {
    throw Error(ErrorCode::corrupt_data, fmt::format("\"{}\" has no letters", printable(text)));
  }
  return text_of_points ? text.substr(0, 1) + "u4" : "|u1";
}

void parse_separator(const Value& document, ZarrArrayMetadata& metadata) {
  metadata.key_prefix = false;
  metadata.separator = '.';
  const Value& separator = field(document, "dimension_separator");
  if (separator == Value("/")) {
    metadata.separator = '/';
  } else if (!separator.is_null() && separator != Value(".")) {
    throw Error(
        ErrorCode::corrupt_data,
        fmt::format("dimension_separator: {} is neither \".\" nor \"/\"", to_json(separator)));
  }
}

/// An array of columns is one whose stored axes are turned round.
void parse_order(const Value& document, ZarrArrayMetadata& metadata) {
  const Value& order = field(document, "order");
  if (order == Value("F")) {
    ZarrCodec transpose{.kind = ZarrCodec::Kind::transpose};
    for (std::size_t axis = metadata.key_axes; axis-- > 0;) {
      transpose.order.push_back(axis);
    }
    if (metadata.key_axes < metadata.shape.size()) {
      transpose.order.push_back(metadata.key_axes);  // Letters of one text stay together.
    }
    metadata.codecs.insert(metadata.codecs.begin(), std::move(transpose));
  } else if (!order.is_null() && order != Value("C")) {
    throw Error(ErrorCode::corrupt_data,
                fmt::format("order: {} is neither \"C\" nor \"F\"", to_json(order)));
  }
}
}  // namespace

ZarrArrayMetadata parse_v2_metadata(const Value& document, const Value& attributes) {
  ZarrArrayMetadata metadata;
  metadata.shape = lengths(document, "shape", 0);
  metadata.chunk = lengths(document, "chunks", 1);
  metadata.key_axes = metadata.shape.size();
  std::int64_t width = 0;
  const std::string dtype =
      in_context("dtype", [&] { return letter_type(document.at("dtype"), width); });
  metadata.type = in_context("dtype", [&] { return numpy_type(dtype).type; });
  if (width > 0) {
    metadata.shape.push_back(width);
    metadata.chunk.push_back(width);
  }
  metadata.shard = metadata.chunk;
  metadata.codecs =
      parse_v2_codecs(field(document, "compressor"), field(document, "filters"), dtype);
  parse_order(document, metadata);
  parse_separator(document, metadata);
  const Value& fill = field(document, "fill_value");
  metadata.fill = width > 0 ? std::optional(0.0) : parse_zarr_fill(fill, metadata.type);
  metadata.attributes = attributes;
  if (const Value* names = attributes.find("_ARRAY_DIMENSIONS"); names != nullptr) {
    for (const auto& name : names->as_array()) {
      metadata.dimension_names.push_back(name.is_string() ? name.as_string() : "");
    }
  }
  check_zarr_sizes(metadata);
  return metadata;
}

}  // namespace weir::formats
