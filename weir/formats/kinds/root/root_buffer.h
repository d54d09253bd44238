#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace weir::formats {

/// Big-endian numbers and texts, one after the other, out of bytes nobody vouches for.
/// Errors of every member: `corrupt_data` where the bytes end before.
class RootBuffer {
 public:
  explicit RootBuffer(std::span<const std::byte> bytes) : bytes_(bytes) {}

  std::size_t place() const noexcept { return at_; }
  std::size_t left() const noexcept { return bytes_.size() - at_; }
  void skip(std::size_t count);
  /// Errors: also for a place behind this one.
  void skip_to(std::size_t place);

  std::uint8_t u8() { return static_cast<std::uint8_t>(unsigned_number(1)); }
  std::uint16_t u16() { return static_cast<std::uint16_t>(unsigned_number(2)); }
  std::uint32_t u32() { return static_cast<std::uint32_t>(unsigned_number(4)); }
  std::int32_t i32() { return static_cast<std::int32_t>(u32()); }
  std::int64_t i64() { return static_cast<std::int64_t>(unsigned_number(8)); }
  /// A place in the file, of 4 or 8 bytes.
  std::int64_t seek(bool big) { return big ? i64() : i32(); }
  /// With its length in front.
  std::string text();
  /// Up to a zero byte.
  std::string name();

  /// What stands in front of an object.
  struct Header {
    int version = 0;
    std::size_t end = 0;  ///< Where the object ends.
  };
  /// Errors: also for an object that says no length, or one beyond the bytes.
  Header header();

 private:
  std::uint64_t unsigned_number(std::size_t width);

  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
};

}  // namespace weir::formats
