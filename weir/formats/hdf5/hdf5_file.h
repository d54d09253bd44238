#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "weir/core/recording.h"

namespace weir::formats {

/// What an array holds and how it lies in the file.
struct Hdf5Array {
  std::optional<StoredType> type;   ///< Of numbers that have such a type.
  bool text = false;                ///< Strings of fixed or variable length.
  std::vector<std::int64_t> shape;  ///< Empty for a single value.
  std::vector<std::int64_t> chunk;  ///< Empty when it is not chunked.
  std::int64_t chunk_bytes = 0;     ///< Decoded.
  std::string problem;              ///< Why it cannot be read, empty when it can.
};

/// One array of a file. Lives: no longer than its file.
class Hdf5Dataset {
 public:
  virtual ~Hdf5Dataset() = default;
  virtual const Hdf5Array& array() const noexcept = 0;
  /// Numbers of a box, in little-endian `array().type`, the last axis fastest.
  /// Range: the box lies in the array; `bytes` is as long as it takes.
  virtual void read(std::span<const std::int64_t> first, std::span<const std::int64_t> count,
                    std::span<std::byte> bytes) const = 0;
  /// The first `count` strings of an array of one axis.
  virtual std::vector<std::string> texts(std::int64_t count) const = 0;
};

/// An HDF5 file, read. Links to other files, arrays whose samples lie in other files, and filters
/// that are not part of HDF5 are not followed.
/// Errors: whatever a member throws derives from `std::exception`.
/// Threads: every member may be called from several threads at once; HDF5 itself is serial, so
/// that one lock in the library lets them in one by one.
class Hdf5File {
 public:
  virtual ~Hdf5File() = default;
  /// Names of what a group itself holds (soft links only repeat it), sorted; empty when there is no
  /// such group.
  virtual std::vector<std::string> members(const std::string& group) const = 0;
  /// Null when there is no array of that name. `cache_bytes` is for decoded chunks.
  virtual std::unique_ptr<Hdf5Dataset> dataset(const std::string& path,
                                               std::size_t cache_bytes) const = 0;
  /// Attributes of an object; empty when it, or the object, is not there or of another type.
  virtual std::optional<std::string> text_attribute(const std::string& object,
                                                    const std::string& name) const = 0;
  virtual std::optional<double> number_attribute(const std::string& object,
                                                 const std::string& name) const = 0;
  /// The path of the object that the attribute points to.
  virtual std::optional<std::string> reference_attribute(const std::string& object,
                                                         const std::string& name) const = 0;
};

/// What the library weir_hdf5 gives: HDF5, which only it knows.
struct Hdf5Library {
  static constexpr int kVersion = 1;
  int version = kVersion;
  std::unique_ptr<Hdf5File> (*open)(const char* path) = nullptr;
};

/// The file, opened through the library.
/// Errors: `unsupported` when the library is not there; `corrupt_data` naming the file.
std::shared_ptr<const Hdf5File> open_hdf5(const std::string& path);

}  // namespace weir::formats
