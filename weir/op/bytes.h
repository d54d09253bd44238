#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "weir/core/error.h"

namespace weir::op {

/// Little-endian bytes of plain values, for checkpoints.
class ByteWriter {
 public:
  template <class T>
    requires std::is_trivially_copyable_v<T>
  void put(const T& value) {
    append(&value, sizeof value);
  }
  template <class T>
    requires std::is_trivially_copyable_v<T>
  void put_all(std::span<const T> values) {
    put<std::uint64_t>(values.size());
    append(values.data(), values.size_bytes());
  }
  template <class T>
  void put_all(const std::vector<T>& values) {
    put_all(std::span<const T>(values));
  }
  void put_text(std::string_view text) { put_all(std::span<const char>(text.data(), text.size())); }
  const std::vector<std::byte>& bytes() const noexcept { return bytes_; }

 private:
  void append(const void* data, std::size_t size) {
    const auto* first = static_cast<const std::byte*>(data);
    bytes_.insert(bytes_.end(), first, first + size);
  }
  std::vector<std::byte> bytes_;
};

/// Reads what a `ByteWriter` wrote, in the same order.
/// Errors: `corrupt_data` when the bytes end early or a count disagrees.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : bytes_(bytes) {}
  template <class T>
    requires std::is_trivially_copyable_v<T>
  T get() {
    T value;
    std::memcpy(&value, take(sizeof value), sizeof value);
    return value;
  }
  /// Fills `values`, whose size must be the one that was written.
  template <class T>
  void get_all(std::span<T> values) {
    require_count(get<std::uint64_t>(), values.size());
    if (!values.empty()) {
      std::memcpy(values.data(), take(values.size_bytes()), values.size_bytes());
    }
  }
  template <class T>
  std::vector<T> get_vector() {
    const auto count = get<std::uint64_t>();
    require_left(count, sizeof(T));
    std::vector<T> values(count);
    if (count > 0) {
      std::memcpy(values.data(), take(count * sizeof(T)), count * sizeof(T));
    }
    return values;
  }
  std::string get_text() {
    const auto letters = get_vector<char>();
    return {letters.begin(), letters.end()};
  }
  bool at_end() const noexcept { return at_ == bytes_.size(); }

 private:
  const std::byte* take(std::size_t size);
  void require_count(std::uint64_t written, std::size_t wanted) const;
  void require_left(std::uint64_t count, std::size_t size) const;
  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
};

}  // namespace weir::op
