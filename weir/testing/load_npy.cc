#include <fmt/format.h>

#include <cstring>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/testing/samples.h"

namespace weir::testing {
namespace {
/// The text after `key` and its colon in the header's dictionary.
std::string_view entry(std::string_view header, std::string_view key, const std::string& path) {
  const auto at = header.find(fmt::format("'{}'", key));
  const auto colon = at == std::string_view::npos ? at : header.find(':', at);
  if (colon == std::string_view::npos) {
    throw Error(ErrorCode::corrupt_data, fmt::format("{}: the header has no '{}'", path, key));
  }
  return trimmed(header.substr(colon + 1));
}

std::vector<std::int64_t> shape_of(std::string_view header, const std::string& path) {
  const std::string_view text = entry(header, "shape", path);
  std::vector<std::int64_t> shape;
  for (const auto& part : split(text.substr(1, text.find(')') - 1), ',')) {
    if (!trimmed(part).empty()) {
      shape.push_back(parse_integer(part));
    }
  }
  return shape;
}

template <class T>
void convert(const char* data, std::vector<float>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    T value;
    std::memcpy(&value, data + i * sizeof(T), sizeof(T));
    values[i] = static_cast<float>(value);
  }
}

std::size_t item_bytes(std::string_view type, const std::string& path) {
  for (const std::string_view known : {"<f4", "<f8", "<i2", "<i8"}) {
    if (type == known) {
      return static_cast<std::size_t>(known[2] - '0');
    }
  }
  throw Error(ErrorCode::unsupported, fmt::format("{}: type {} of a golden file", path, type));
}
}  // namespace

Samples load_npy(const std::filesystem::path& path) {
  const std::string full =
      (path.is_absolute() ? path : std::filesystem::path(WEIR_SOURCE_DIR) / path).string();
  const std::string file = read_text_file(full);
  const bool wide = file.size() > 12 && file[6] >= 2;
  const std::size_t start = wide ? 12 : 10;
  std::uint32_t length = 0;
  if (file.size() < start || !file.starts_with("\x93NUMPY")) {
    throw Error(ErrorCode::corrupt_data, full + ": not a .npy file");
  }
  std::memcpy(&length, file.data() + 8, wide ? 4 : 2);
  const std::string_view header = std::string_view(file).substr(start, length);
  const std::string_view type = entry(header, "descr", full).substr(1, 3);
  const auto shape = shape_of(header, full);
  if (shape.empty() || shape.size() > 2 ||
      entry(header, "fortran_order", full).starts_with("True")) {
    throw Error(ErrorCode::unsupported, full + ": one or two dimensions in C order are wanted");
  }
  Samples samples{shape[0], shape.size() == 2 ? shape[1] : 1, {}};
  samples.values.resize(static_cast<std::size_t>(samples.frames * samples.channels));
  if (file.size() != start + length + samples.values.size() * item_bytes(type, full)) {
    throw Error(ErrorCode::corrupt_data, full + ": the length disagrees with the shape");
  }
  const char* data = file.data() + start + length;
  if (type == "<f4") {
    convert<float>(data, samples.values);
  } else if (type == "<f8") {
    convert<double>(data, samples.values);
  } else if (type == "<i2") {
    convert<std::int16_t>(data, samples.values);
  } else {
    convert<std::int64_t>(data, samples.values);
  }
  return samples;
}

}  // namespace weir::testing
