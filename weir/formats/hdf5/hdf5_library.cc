// It reads arrays and attributes by their paths, and decides nothing about what they mean.
#include <array>

#include "weir/formats/hdf5/hdf5_internal.h"

namespace weir::formats {
namespace {
constexpr hsize_t kMostMembers = 100'000;

/// Access to links that never leads to another file.
Handle inside_only(hid_t kind) {
  Handle access = needed(H5Pcreate(kind), &H5Pclose);
  check(H5Pset_elink_cb(
      access.id(),
      [](const char*, const char*, const char*, const char*, unsigned*, hid_t, void*) -> herr_t {
        return -1;
      },
      nullptr));
  return access;
}

class File final : public Hdf5File {
 public:
  explicit File(const char* path) {
    const Handle access = needed(H5Pcreate(H5P_FILE_ACCESS), &H5Pclose);
    check(H5Pset_file_locking(access.id(), 0, 1));  // Only read: others may write beside us.
    // Nothing of HDF5 stays open behind a file that is closed.
    check(H5Pset_fclose_degree(access.id(), H5F_CLOSE_STRONG));
    file_ = H5Fopen(path, H5F_ACC_RDONLY, access.id());
    if (file_ < 0) {
      throw std::runtime_error(last_error());
    }
  }
  ~File() override {
    const std::scoped_lock lock(hdf5_lock());
    H5Fclose(file_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  std::vector<std::string> members(const std::string& group) const override {
    const std::scoped_lock lock(hdf5_lock());
    std::vector<std::string> names;
    const Handle access = inside_only(H5P_GROUP_ACCESS);
    const Handle opened = tried(H5Gopen2(file_, group.c_str(), access.id()), &H5Gclose);
    H5G_info_t info{};
    if (!opened || H5Gget_info(opened.id(), &info) < 0) {
      H5Eclear2(H5E_DEFAULT);
      return names;
    }
    if (info.nlinks > kMostMembers) {
      throw std::runtime_error("a group of more members than are read");
    }
    hsize_t at = 0;
    check(H5Literate(
        opened.id(), H5_INDEX_NAME, H5_ITER_INC, &at,
        [](hid_t, const char* name, const H5L_info_t* link, void* list) -> herr_t {
          if (link->type == H5L_TYPE_HARD) {
            static_cast<std::vector<std::string>*>(list)->emplace_back(name);
          }
          return 0;
        },
        &names));
    return names;
  }

  std::unique_ptr<Hdf5Dataset> dataset(const std::string& path,
                                       std::size_t cache_bytes) const override {
    const std::scoped_lock lock(hdf5_lock());
    const Handle access = inside_only(H5P_DATASET_ACCESS);
    check(H5Pset_chunk_cache(access.id(), 12421, cache_bytes, 1.0));
    Handle opened = tried(H5Dopen2(file_, path.c_str(), access.id()), &H5Dclose);
    return opened ? make_dataset(std::move(opened)) : nullptr;
  }

  std::optional<std::string> text_attribute(const std::string& object,
                                            const std::string& name) const override {
    const std::scoped_lock lock(hdf5_lock());
    const Handle attribute = find(object, name);
    const Handle type = attribute ? tried(H5Aget_type(attribute.id()), &H5Tclose) : Handle();
    if (!type || H5Tget_class(type.id()) != H5T_STRING || !is_single(attribute)) {
      return std::nullopt;
    }
    return read_texts(type.id(), 1, [&](hid_t memory, void* out) {
      return H5Aread(attribute.id(), memory, out);
    })[0];
  }

  std::optional<double> number_attribute(const std::string& object,
                                         const std::string& name) const override {
    const std::scoped_lock lock(hdf5_lock());
    const Handle attribute = find(object, name);
    const Handle type = attribute ? tried(H5Aget_type(attribute.id()), &H5Tclose) : Handle();
    if (!type || !stored_type_of(type.id()) || !is_single(attribute)) {
      return std::nullopt;
    }
    double value = 0;
    check(H5Aread(attribute.id(), H5T_NATIVE_DOUBLE, &value));
    return value;
  }

  std::optional<std::string> reference_attribute(const std::string& object,
                                                 const std::string& name) const override {
    const std::scoped_lock lock(hdf5_lock());
    const Handle attribute = find(object, name);
    const Handle type = attribute ? tried(H5Aget_type(attribute.id()), &H5Tclose) : Handle();
    if (!type || H5Tequal(type.id(), H5T_STD_REF_OBJ) <= 0 || !is_single(attribute)) {
      return std::nullopt;
    }
    hobj_ref_t reference = 0;
    check(H5Aread(attribute.id(), H5T_STD_REF_OBJ, &reference));
    std::array<char, 4096> path{};
    const auto length = H5Rget_name(file_, H5R_OBJECT, &reference, path.data(), path.size());
    if (length <= 0 || length >= static_cast<ssize_t>(path.size())) {
      H5Eclear2(H5E_DEFAULT);
      return std::nullopt;
    }
    return std::string(path.data());
  }

 private:
  Handle find(const std::string& object, const std::string& name) const {
    const Handle access = inside_only(H5P_LINK_ACCESS);
    const Handle opened = tried(H5Oopen(file_, object.c_str(), access.id()), &H5Oclose);
    if (!opened || H5Aexists(opened.id(), name.c_str()) <= 0) {
      H5Eclear2(H5E_DEFAULT);
      return {};
    }
    return tried(H5Aopen(opened.id(), name.c_str(), H5P_DEFAULT), &H5Aclose);
  }

  static bool is_single(const Handle& attribute) {
    const Handle space = tried(H5Aget_space(attribute.id()), &H5Sclose);
    return space && H5Sget_simple_extent_npoints(space.id()) == 1;
  }

  hid_t file_ = H5I_INVALID_HID;
};

std::unique_ptr<Hdf5File> open(const char* path) {
  const std::scoped_lock lock(hdf5_lock());
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // No stack of errors on the terminal.
  H5PLset_loading_state(0);                     // No filters from files beside the program.
  return std::make_unique<File>(path);
}
}  // namespace

std::mutex& hdf5_lock() {
  static std::mutex lock;
  return lock;
}

/// The innermost thing HDF5 had to say.
std::string last_error() {
  std::string text;
  H5Ewalk2(
      H5E_DEFAULT, H5E_WALK_UPWARD,
      [](unsigned, const H5E_error2_t* error, void* found) -> herr_t {
        auto& result = *static_cast<std::string*>(found);
        if (result.empty() && error->desc != nullptr) {
          result = error->desc;
        }
        return 0;
      },
      &text);
  H5Eclear2(H5E_DEFAULT);
  return text.empty() ? "HDF5 refuses it" : "HDF5 says: " + text;
}

}  // namespace weir::formats

extern "C" __attribute__((visibility("default"))) const weir::formats::Hdf5Library* weir_hdf5() {
  static constexpr weir::formats::Hdf5Library kLibrary{.open = &weir::formats::open};
  return &kLibrary;
}
