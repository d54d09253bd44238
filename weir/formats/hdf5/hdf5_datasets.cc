#include <array>

#include "weir/formats/hdf5/hdf5_internal.h"

namespace weir::formats {
namespace {
constexpr int kMostAxes = 8;

hid_t memory_type(StoredType type) {
  switch (type) {
    case StoredType::int8:
      return H5T_STD_I8LE;
    case StoredType::uint8:
      return H5T_STD_U8LE;
    case StoredType::int16:
      return H5T_STD_I16LE;
    case StoredType::uint16:
      return H5T_STD_U16LE;
    case StoredType::int32:
      return H5T_STD_I32LE;
    case StoredType::uint32:
      return H5T_STD_U32LE;
    case StoredType::int64:
      return H5T_STD_I64LE;
    case StoredType::uint64:
      return H5T_STD_U64LE;
    case StoredType::float32:
      return H5T_IEEE_F32LE;
    case StoredType::float64:
      return H5T_IEEE_F64LE;
    default:
      throw std::logic_error("no number of HDF5");
  }
}

std::vector<std::int64_t> shape_of(hid_t space) {
  const int axes = H5Sget_simple_extent_ndims(space);
  if (axes < 0 || axes > kMostAxes) {
    throw std::runtime_error("an array of more axes than are read");
  }
  std::array<hsize_t, kMostAxes> sizes{};
  if (axes > 0) {
    check(H5Sget_simple_extent_dims(space, sizes.data(), nullptr));
  }
  std::vector<std::int64_t> shape;
  for (int axis = 0; axis < axes; ++axis) {
    if (sizes[static_cast<std::size_t>(axis)] > hsize_t{1} << 62) {
      throw std::runtime_error("an array longer than 2^62");
    }
    shape.push_back(static_cast<std::int64_t>(sizes[static_cast<std::size_t>(axis)]));
  }
  return shape;
}

/// What of a layout cannot or shall not be read; empty for nothing.
std::string layout_problem(hid_t plist) {
  if (H5Pget_layout(plist) == H5D_VIRTUAL) {
    return "its samples lie in other files (a virtual dataset)";
  }
  if (H5Pget_external_count(plist) > 0) {
    return "its samples lie in other files (external storage)";
  }
  const int filters = H5Pget_nfilters(plist);
  for (int i = 0; i < filters; ++i) {
    unsigned flags = 0;
    std::size_t values = 0;
    std::array<char, 64> name{};
    unsigned config = 0;
    const H5Z_filter_t filter = H5Pget_filter2(plist, static_cast<unsigned>(i), &flags, &values,
                                               nullptr, name.size(), name.data(), &config);
    name.back() = '\0';
    if (filter < 0 || H5Zfilter_avail(filter) <= 0) {
      H5Eclear2(H5E_DEFAULT);
      return "its filter \"" + std::string(name.data()) + "\" (" + std::to_string(filter) +
             ") is not part of HDF5: store it with gzip, or none";
    }
  }
  return {};
}

class Dataset final : public Hdf5Dataset {
 public:
  explicit Dataset(Handle dataset) : dataset_(std::move(dataset)) {
    const Handle type = needed(H5Dget_type(dataset_.id()), &H5Tclose);
    const Handle space = needed(H5Dget_space(dataset_.id()), &H5Sclose);
    const Handle plist = needed(H5Dget_create_plist(dataset_.id()), &H5Pclose);
    array_.type = stored_type_of(type.id());
    array_.text = H5Tget_class(type.id()) == H5T_STRING;
    array_.shape = shape_of(space.id());
    array_.problem = layout_problem(plist.id());
    if (H5Pget_layout(plist.id()) == H5D_CHUNKED) {
      std::array<hsize_t, kMostAxes> sizes{};
      const int axes = H5Pget_chunk(plist.id(), kMostAxes, sizes.data());
      array_.chunk_bytes = static_cast<std::int64_t>(H5Tget_size(type.id()));
      for (int axis = 0; axis < axes && axis < kMostAxes; ++axis) {
        array_.chunk.push_back(static_cast<std::int64_t>(sizes[static_cast<std::size_t>(axis)]));
        array_.chunk_bytes *= array_.chunk.back();  // HDF5 keeps chunks below 4 GiB.
      }
    }
  }
  ~Dataset() override {
    const std::scoped_lock lock(hdf5_lock());
    const Handle closed = std::move(dataset_);
  }

  const Hdf5Array& array() const noexcept override { return array_; }

  void read(std::span<const std::int64_t> first, std::span<const std::int64_t> count,
            std::span<std::byte> bytes) const override {
    const std::scoped_lock lock(hdf5_lock());
    if (!array_.type || first.size() != array_.shape.size() || count.size() != first.size()) {
      throw std::logic_error("a box that does not fit its array");
    }
    const hid_t type = memory_type(*array_.type);
    std::size_t values = 1;
    std::array<hsize_t, kMostAxes> start{};
    std::array<hsize_t, kMostAxes> extent{};
    for (std::size_t axis = 0; axis < first.size(); ++axis) {
      if (first[axis] < 0 || count[axis] < 0 || count[axis] > array_.shape[axis] - first[axis]) {
        throw std::logic_error("a box outside its array");
      }
      start[axis] = static_cast<hsize_t>(first[axis]);
      extent[axis] = static_cast<hsize_t>(count[axis]);
      values *= static_cast<std::size_t>(count[axis]);
    }
    if (bytes.size() != values * H5Tget_size(type)) {
      throw std::logic_error("a box of another size than its bytes");
    }
    if (values == 0) {
      return;
    }
    const Handle from = needed(H5Dget_space(dataset_.id()), &H5Sclose);
    Handle to =
        first.empty()
            ? needed(H5Screate(H5S_SCALAR), &H5Sclose)
            : needed(H5Screate_simple(static_cast<int>(first.size()), extent.data(), nullptr),
                     &H5Sclose);
    if (!first.empty()) {
      check(H5Sselect_hyperslab(from.id(), H5S_SELECT_SET, start.data(), nullptr, extent.data(),
                                nullptr));
    }
    check(H5Dread(dataset_.id(), type, to.id(), from.id(), H5P_DEFAULT, bytes.data()));
  }

  std::vector<std::string> texts(std::int64_t count) const override;

 private:
  Handle dataset_;
  Hdf5Array array_;
};

std::vector<std::string> Dataset::texts(std::int64_t count) const {
  const std::scoped_lock lock(hdf5_lock());
  if (!array_.text || array_.shape.size() > 1 || count < 0 || count > kMostTextBytes / 16 ||
      count > (array_.shape.empty() ? 1 : array_.shape[0])) {
    throw std::runtime_error("no list of texts");
  }
  if (count == 0) {
    return {};
  }
  const Handle type = needed(H5Dget_type(dataset_.id()), &H5Tclose);
  const Handle from = needed(H5Dget_space(dataset_.id()), &H5Sclose);
  const hsize_t start = 0;
  const auto extent = static_cast<hsize_t>(count);
  if (!array_.shape.empty()) {
    check(H5Sselect_hyperslab(from.id(), H5S_SELECT_SET, &start, nullptr, &extent, nullptr));
  }
  const Handle to = needed(H5Screate_simple(1, &extent, nullptr), &H5Sclose);
  return read_texts(type.id(), static_cast<std::size_t>(count), [&](hid_t memory, void* out) {
    return H5Dread(dataset_.id(), memory, to.id(), from.id(), H5P_DEFAULT, out);
  });
}
}  // namespace

std::optional<StoredType> stored_type_of(hid_t type) {
  const std::size_t size = H5Tget_size(type);
  switch (H5Tget_class(type)) {
    case H5T_INTEGER: {
      const bool is_signed = H5Tget_sign(type) == H5T_SGN_2;
      if (H5Tget_precision(type) != 8 * size) {
        return std::nullopt;
      }
      switch (size) {
        case 1:
          return is_signed ? StoredType::int8 : StoredType::uint8;
        case 2:
          return is_signed ? StoredType::int16 : StoredType::uint16;
        case 4:
          return is_signed ? StoredType::int32 : StoredType::uint32;
        case 8:
          return is_signed ? StoredType::int64 : StoredType::uint64;
        default:
          return std::nullopt;
      }
    }
    case H5T_FLOAT:
      return size == 4   ? std::optional(StoredType::float32)
             : size == 8 ? std::optional(StoredType::float64)
                         : std::nullopt;
    default:
      return std::nullopt;
  }
}

std::unique_ptr<Hdf5Dataset> make_dataset(Handle dataset) {
  return std::make_unique<Dataset>(std::move(dataset));
}

}  // namespace weir::formats
