#pragma once

#include <hdf5.h>

#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "weir/formats/hdf5/hdf5_file.h"

// Shared by the files of the library weir_hdf5, the only part that knows HDF5.
namespace weir::formats {

/// HDF5 is serial: whoever calls it holds this.
std::mutex& hdf5_lock();
/// The innermost thing HDF5 had to say; it is then forgotten.
std::string last_error();

/// Owns an identifier of HDF5. Negative: there is none.
class Handle {
 public:
  Handle() = default;
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  Handle(Handle&& other) noexcept
      : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}
  Handle& operator=(Handle&&) = delete;
  ~Handle() {
    if (id_ >= 0) {
      close_(id_);
    }
  }
  hid_t id() const noexcept { return id_; }
  explicit operator bool() const noexcept { return id_ >= 0; }

 private:
  hid_t id_ = H5I_INVALID_HID;
  herr_t (*close_)(hid_t) = nullptr;
};

inline Handle needed(hid_t id, herr_t (*close)(hid_t)) {
  if (id < 0) {
    throw std::runtime_error(last_error());
  }
  return {id, close};
}

/// As `needed`, for what may be missing: says nothing.
inline Handle tried(hid_t id, herr_t (*close)(hid_t)) {
  if (id < 0) {
    H5Eclear2(H5E_DEFAULT);
  }
  return {id, close};
}

inline void check(herr_t status) {
  if (status < 0) {
    throw std::runtime_error(last_error());
  }
}

/// The type of numbers that have one of ours.
std::optional<StoredType> stored_type_of(hid_t type);

inline constexpr std::int64_t kMostTextBytes = std::int64_t{16} << 20;

/// Strings of `count` elements; `read` fills memory of the type it is given.
template <class Read>
std::vector<std::string> read_texts(hid_t stored, std::size_t count, Read&& read) {
  std::vector<std::string> texts;
  const Handle type = needed(H5Tcopy(stored), &H5Tclose);
  if (H5Tis_variable_str(type.id()) > 0) {
    std::vector<char*> words(count, nullptr);
    check(read(type.id(), words.data()));
    for (char* word : words) {
      texts.emplace_back(word == nullptr ? "" : word);
      H5free_memory(word);
    }
    return texts;
  }
  const std::size_t size = H5Tget_size(type.id());
  if (size == 0 || count > static_cast<std::size_t>(kMostTextBytes) / size) {
    throw std::runtime_error("more text than is read");
  }
  std::string bytes(size * count, '\0');
  check(read(type.id(), bytes.data()));
  for (std::size_t i = 0; i < count; ++i) {
    const std::string word = bytes.substr(i * size, size);
    texts.push_back(word.substr(0, word.find('\0')));
  }
  return texts;
}

/// Under the lock.
std::unique_ptr<Hdf5Dataset> make_dataset(Handle dataset);

}  // namespace weir::formats
