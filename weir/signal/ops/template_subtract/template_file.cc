#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <cmath>
#include <cstring>

#include "weir/core/text.h"
#include "weir/signal/ops/template_subtract/template_subtract.h"

namespace weir::signal {
namespace {
constexpr std::int64_t kLongestFile = std::int64_t{1} << 30;

template <class T>
double value_at(const char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return static_cast<double>(value);
}

struct Reading {
  std::size_t bytes;
  double (*value)(const char* bytes);
};

Reading reading_of(std::string_view type) {
  if (type == "<f4") {
    return {4, &value_at<float>};
  }
  if (type == "<f8") {
    return {8, &value_at<double>};
  }
  if (type == "<i2") {
    return {2, &value_at<std::int16_t>};
  }
  if (type == "<i4") {
    return {4, &value_at<std::int32_t>};
  }
  throw Error(ErrorCode::unsupported,
              fmt::format("numbers of type '{}' are not read as templates; <f4, <f8, <i2 and <i4 "
                          "are",
                          type));
}

/// What stands in front of the numbers, as NumPy writes it.
struct ArrayHeader {
  std::string type;  ///< "<f4".
  std::vector<std::int64_t> shape;
  std::size_t bytes = 0;  ///< Numbers follow.
};

/// The text between two marks behind `key`. Errors: `corrupt_data`.
std::string_view entry(std::string_view dictionary, std::string_view key, char open, char close) {
  const auto at = dictionary.find(key);
  const auto first = at == std::string_view::npos ? at : dictionary.find(open, at + key.size());
  const auto end = first == std::string_view::npos ? first : dictionary.find(close, first + 1);
  if (end == std::string_view::npos) {
    throw Error(ErrorCode::corrupt_data, fmt::format("the header has no {}", key));
  }
  return dictionary.substr(first + 1, end - first - 1);
}

std::vector<std::int64_t> lengths_of(std::string_view text) {
  std::vector<std::int64_t> lengths;
  for (const auto& word : split(text, ',')) {
    if (!trimmed(word).empty()) {
      lengths.push_back(in_context("shape", [&] { return parse_integer(trimmed(word)); }));
    }
  }
  return lengths;
}

/// Source: NumPy, "numpy.lib.format", versions 1.0 to 3.0.
ArrayHeader header_of(std::string_view text) {
  constexpr std::size_t kStart = 10;
  if (text.size() < kStart + 2 || !text.starts_with("\x93NUMPY")) {
    throw Error(ErrorCode::corrupt_data, "does not start as a .npy array");
  }
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  const bool wide = byte(6) >= 2;
  const std::size_t start = wide ? kStart + 2 : kStart;
  std::size_t length = byte(8) + (std::size_t{byte(9)} << 8);
  if (wide) {
    length += (std::size_t{byte(10)} << 16) + (std::size_t{byte(11)} << 24);
  }
  if (length > text.size() - start) {
    throw Error(ErrorCode::corrupt_data, fmt::format("the header of {} bytes is cut off", length));
  }
  const std::string_view dictionary = text.substr(start, length);
  ArrayHeader header;
  header.type = entry(dictionary, "'descr':", '\'', '\'');
  header.shape = lengths_of(entry(dictionary, "'shape':", '(', ')'));
  header.bytes = start + length;
  if (dictionary.find("'fortran_order': False") == std::string_view::npos) {
    throw Error(ErrorCode::invalid_spec, "the array is not in C order");
  }
  return header;
}

TemplateArray shaped(const std::vector<std::int64_t>& shape) {
  const std::string text = fmt::format("({})", fmt::join(shape, ", "));
  if (shape.size() != 2 && shape.size() != 3) {
    throw Error(ErrorCode::invalid_spec,
                fmt::format("an array of {} is no [templates, samples, channels]", text));
  }
  TemplateArray array;
  array.templates = shape.size() == 3 ? shape[0] : 1;
  array.samples = shape[shape.size() - 2];
  array.channels = shape.back();
  constexpr std::int64_t kMost = std::int64_t{1} << 20;
  for (const std::int64_t length : shape) {
    if (length < 1 || length > kMost) {
      throw Error(ErrorCode::invalid_spec,
                  fmt::format("{}: lengths must lie between 1 and {}", text, kMost));
    }
  }
  return array;
}
}  // namespace

TemplateArray read_templates(const std::string& file) {
  static_assert(std::endian::native == std::endian::little);
  const std::string text = read_text_file(file, kLongestFile);
  return in_context(file, [&] {
    const ArrayHeader header = header_of(text);
    const std::size_t start = header.bytes;
    TemplateArray array = shaped(header.shape);
    const Reading reading = reading_of(header.type);
    const std::size_t there = (text.size() - start) / reading.bytes;
    // Each length is below 2^20, so their product is exact.
    const auto wanted = static_cast<std::uint64_t>(array.templates) *
                        static_cast<std::uint64_t>(array.samples) *
                        static_cast<std::uint64_t>(array.channels);
    if (wanted > there) {
      throw Error(ErrorCode::corrupt_data,
                  fmt::format("{} numbers are announced, {} are there", wanted, there));
    }
    array.values.reserve(wanted);
    for (std::uint64_t i = 0; i < wanted; ++i) {
      array.values.push_back(reading.value(text.data() + start + i * reading.bytes));
      if (!std::isfinite(array.values.back())) {
        throw Error(ErrorCode::invalid_spec, fmt::format("number {} is not finite", i));
      }
    }
    return array;
  });
}

}  // namespace weir::signal
