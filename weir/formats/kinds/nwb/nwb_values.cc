#include "weir/formats/kinds/nwb/nwb_values.h"

#include <fmt/format.h>

#include <cstring>

#include "weir/formats/stored_samples.h"

namespace weir::formats {
namespace {
template <class T>
std::vector<double> as_double(const std::vector<std::byte>& bytes) {
  std::vector<double> numbers(bytes.size() / sizeof(T));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    T value{};
    std::memcpy(&value, bytes.data() + i * sizeof value, sizeof value);
    numbers[i] = static_cast<double>(value);
  }
  return numbers;
}

std::vector<double> as_double(StoredType type, const std::vector<std::byte>& bytes) {
  switch (type) {
    case StoredType::int8:
      return as_double<std::int8_t>(bytes);
    case StoredType::uint8:
      return as_double<std::uint8_t>(bytes);
    case StoredType::int16:
      return as_double<std::int16_t>(bytes);
    case StoredType::uint16:
      return as_double<std::uint16_t>(bytes);
    case StoredType::int32:
      return as_double<std::int32_t>(bytes);
    case StoredType::uint32:
      return as_double<std::uint32_t>(bytes);
    case StoredType::int64:
      return as_double<std::int64_t>(bytes);
    case StoredType::uint64:
      return as_double<std::uint64_t>(bytes);
    case StoredType::float32:
      return as_double<float>(bytes);
    case StoredType::float64:
      return as_double<double>(bytes);
    default:
      throw Error(ErrorCode::unsupported,
                  fmt::format("holds {}, which is read as samples only", name(type)));
  }
}
}  // namespace

std::vector<double> nwb_numbers(const Hdf5Dataset& dataset, const std::string& path,
                                std::int64_t most) {
  const Hdf5Array& array = dataset.array();
  const bool single = array.shape.empty();
  if (array.shape.size() > 1 || (!single && array.shape[0] > most)) {
    throw Error(ErrorCode::corrupt_data,
                fmt::format("{}: is no list of at most {} numbers", path, most));
  }
  return nwb_numbers(dataset, path, 0, single ? 1 : array.shape[0]);
}

std::vector<double> nwb_numbers(const Hdf5Dataset& dataset, const std::string& path,
                                std::int64_t first, std::int64_t count) {
  const Hdf5Array& array = dataset.array();
  if (!array.type || !array.problem.empty()) {
    throw Error(
        ErrorCode::unsupported,
        fmt::format("{}: {}", path, array.problem.empty() ? "holds no numbers" : array.problem));
  }
  std::vector<std::byte> bytes(static_cast<std::size_t>(count * stored_bytes(*array.type)));
  nwb_reading(path, [&] {
    if (array.shape.empty()) {
      dataset.read({}, {}, bytes);
    } else {
      dataset.read(std::vector{first}, std::vector{count}, bytes);
    }
  });
  return in_context(path, [&] { return as_double(*array.type, bytes); });
}

}  // namespace weir::formats
