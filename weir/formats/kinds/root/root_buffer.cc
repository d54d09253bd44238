#include "weir/formats/kinds/root/root_buffer.h"

#include "weir/core/error.h"

namespace weir::formats {
namespace {
constexpr std::uint32_t kByteCount = 0x40000000;

[[noreturn]] void refuse(const char* reason) {
  throw Error(ErrorCode::corrupt_data, reason);
}
}  // namespace

void RootBuffer::skip(std::size_t count) {
  if (count > left()) {
    refuse("a record ends too early");
  }
  at_ += count;
}

void RootBuffer::skip_to(std::size_t place) {
  if (place < at_) {
    refuse("an object is longer than it says");
  }
  skip(place - at_);
}

std::uint64_t RootBuffer::unsigned_number(std::size_t width) {
  const std::size_t first = at_;
  skip(width);
  std::uint64_t number = 0;
  for (std::size_t i = first; i < at_; ++i) {
    number = (number << 8U) | std::to_integer<std::uint64_t>(bytes_[i]);
  }
  return number;
}

std::string RootBuffer::text() {
  std::size_t length = u8();
  if (length == 255) {
    length = u32();
  }
  const std::size_t first = at_;
  skip(length);
  return {reinterpret_cast<const char*>(bytes_.data()) + first, length};
}

std::string RootBuffer::name() {
  std::string name;
  while (const std::uint8_t letter = u8()) {
    name.push_back(static_cast<char>(letter));
  }
  return name;
}

RootBuffer::Header RootBuffer::header() {
  const std::uint32_t count = u32();
  if ((count & kByteCount) == 0) {
    refuse("an object does not say how long it is");
  }
  const std::size_t length = count & ~kByteCount;
  if (length > left() || length < 2) {
    refuse("an object is longer than its record");
  }
  Header header;
  header.end = at_ + length;
  header.version = u16();
  return header;
}

}  // namespace weir::formats
