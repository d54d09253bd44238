#include "weir/op/bytes.h"

namespace weir::op {

const std::byte* ByteReader::take(std::size_t size) {
  if (size > bytes_.size() - at_) {
    throw Error(ErrorCode::corrupt_data, "saved state ends early");
  }
  const std::byte* data = bytes_.data() + at_;
  at_ += size;
  return data;
}

void ByteReader::require_count(std::uint64_t written, std::size_t wanted) const {
  if (written != wanted) {
    throw Error(ErrorCode::corrupt_data, "saved state has another shape");
  }
}

void ByteReader::require_left(std::uint64_t count, std::size_t size) const {
  if (count > (bytes_.size() - at_) / size) {
    throw Error(ErrorCode::corrupt_data, "saved state ends early");
  }
}

}  // namespace weir::op
