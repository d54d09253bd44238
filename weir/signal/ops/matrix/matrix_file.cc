#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/signal/ops/matrix/matrix.h"

namespace weir::signal {
namespace {
[[noreturn]] void refuse(ErrorCode code, const std::string& path, const std::string& text) {
  throw Error(code, fmt::format("{}: {}", path, text));
}

template <class T>
double number_at(const char* data) {
  T value;
  std::memcpy(&value, data, sizeof value);
  return static_cast<double>(value);
}

/// A number type of .npy files.
struct NumberType {
  std::string_view name;
  std::size_t bytes;
  double (*at)(const char*);
};
constexpr std::array<NumberType, 5> kTypes{{{"<f4", 4, number_at<float>},
                                            {"<f8", 8, number_at<double>},
                                            {"<i2", 2, number_at<std::int16_t>},
                                            {"<i4", 4, number_at<std::int32_t>},
                                            {"<i8", 8, number_at<std::int64_t>}}};

/// What stands in the header's dictionary after `key` and its colon.
std::string_view entry_of(std::string_view header, const std::string& key,
                          const std::string& path) {
  const auto at = header.find("'" + key + "'");
  const auto colon = at == std::string_view::npos ? at : header.find(':', at);
  if (colon == std::string_view::npos) {
    refuse(ErrorCode::corrupt_data, path, fmt::format("the header has no '{}'", key));
  }
  return trimmed(header.substr(colon + 1));
}

std::array<std::int64_t, 2> shape_of(std::string_view header, const std::string& path) {
  const std::string_view text = entry_of(header, "shape", path);
  const auto close = text.find(')');
  if (!text.starts_with('(') || close == std::string_view::npos) {
    refuse(ErrorCode::corrupt_data, path, "the header's shape is not in brackets");
  }
  auto sides = split(text.substr(1, close - 1), ',');
  std::erase_if(sides, [](const std::string& side) { return trimmed(side).empty(); });
  constexpr std::int64_t kMost = 1 << 20;
  std::array<std::int64_t, 2> shape{};
  if (sides.size() != 2) {
    refuse(ErrorCode::unsupported, path,
           fmt::format("a matrix has two dimensions, this has the shape {}",
                       text.substr(0, close + 1)));
  }
  for (std::size_t i = 0; i < 2; ++i) {
    shape[i] = in_context(path, [&] { return parse_integer(trimmed(sides[i])); });
    if (shape[i] < 1 || shape[i] > kMost) {
      refuse(ErrorCode::corrupt_data, path, fmt::format("has a side of {}", shape[i]));
    }
  }
  return shape;
}

MatrixTable read_npy(const std::string& file, const std::string& path) {
  const bool wide = file.size() > 12 && file[6] >= 2;
  const std::size_t start = wide ? 12 : 10;
  std::uint32_t length = 0;
  if (file.size() > start) {
    std::memcpy(&length, file.data() + 8, wide ? 4 : 2);
  }
  if (file.size() < start + length) {
    refuse(ErrorCode::corrupt_data, path, "ends inside its header");
  }
  const std::string_view header = std::string_view(file).substr(start, length);
  const std::string_view type = entry_of(header, "descr", path);
  const auto* found = std::find_if(kTypes.begin(), kTypes.end(), [&](const NumberType& known) {
    return type.size() > 4 && type.substr(1, 3) == known.name;
  });
  if (found == kTypes.end()) {
    refuse(ErrorCode::unsupported, path,
           fmt::format("holds {}; known are f4, f8, i2, i4 and i8", type.substr(0, 5)));
  }
  const auto [rows, columns] = shape_of(header, path);
  const auto count = static_cast<std::size_t>(rows * columns);
  if (file.size() - start - length != count * found->bytes) {
    refuse(ErrorCode::corrupt_data, path,
           fmt::format("{} x {} numbers of {} bytes do not fill {} bytes", rows, columns,
                       found->bytes, file.size() - start - length));
  }
  const bool by_columns = entry_of(header, "fortran_order", path).starts_with("True");
  MatrixTable table{rows, columns, std::vector<double>(count)};
  const char* data = file.data() + start + length;
  for (std::size_t i = 0; i < count; ++i, data += found->bytes) {
    const auto height = static_cast<std::size_t>(rows);
    const std::size_t at =
        by_columns ? i % height * static_cast<std::size_t>(columns) + i / height : i;
    table.weights[at] = found->at(data);
  }
  return table;
}

std::vector<double> numbers_of(std::string line, const std::string& where) {
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c == ',' || c == ';' || c == '\t'; }, ' ');
  std::vector<double> numbers;
  for (const auto& word : split(line, ' ')) {
    if (!trimmed(word).empty()) {
      numbers.push_back(in_context(where, [&] { return parse_number(trimmed(word)); }));
    }
  }
  return numbers;
}

MatrixTable read_text(const std::string& file, const std::string& path) {
  MatrixTable table;
  std::int64_t number = 0;
  for (const auto& line : split(file, '\n')) {
    ++number;
    if (trimmed(line).empty() || trimmed(line).starts_with('#')) {
      continue;
    }
    const std::string where = fmt::format("{}: line {}", path, number);
    const auto row = numbers_of(std::string(trimmed(line)), where);
    if (table.rows > 0 && std::ssize(row) != table.columns) {
      refuse(ErrorCode::corrupt_data, where,
             fmt::format("has {} numbers, the first row has {}", row.size(), table.columns));
    }
    table.columns = std::ssize(row);
    table.weights.insert(table.weights.end(), row.begin(), row.end());
    ++table.rows;
  }
  if (table.rows == 0) {
    refuse(ErrorCode::corrupt_data, path, "holds no numbers");
  }
  return table;
}
}  // namespace

MatrixTable read_matrix_file(const std::string& path) {
  constexpr std::int64_t kMostBytes = std::int64_t{1} << 30;
  const std::string file = read_text_file(path, kMostBytes);
  return file.starts_with("\x93NUMPY") ? read_npy(file, path) : read_text(file, path);
}

}  // namespace weir::signal
