#include "weir/formats/inflate.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "weir/core/error.h"

namespace weir::formats {
namespace {
/// zlib's bits for "a window of 32 KiB, wrapped so".
int window_bits(DeflateWrapper wrapper) noexcept {
  constexpr int kWindow = 15;
  return wrapper == DeflateWrapper::none   ? -kWindow
         : wrapper == DeflateWrapper::gzip ? kWindow + 16
                                           : kWindow;
}

class Inflater {
 public:
  explicit Inflater(DeflateWrapper wrapper) {
    WEIR_CHECK(::inflateInit2(&stream_, window_bits(wrapper)) == Z_OK);
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater() { ::inflateEnd(&stream_); }

  /// Goes on with what is left of both; cut from their fronts is what was used.
  /// Returns whether the stream has ended.
  bool step(std::span<const std::byte>& in, std::span<std::byte>& out) {
    // zlib counts in 32 bits.
    constexpr std::size_t kMost = std::numeric_limits<uInt>::max();
    const auto given = static_cast<uInt>(std::min(in.size(), kMost));
    const auto room = static_cast<uInt>(std::min(out.size(), kMost));
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(in.data()));
    stream_.avail_in = given;
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = room;
    const int result = ::inflate(&stream_, Z_NO_FLUSH);
    in = in.subspan(given - stream_.avail_in);
    out = out.subspan(room - stream_.avail_out);
    if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) {
      throw Error(ErrorCode::corrupt_data,
                  fmt::format("deflate: {}", stream_.msg != nullptr ? stream_.msg : "damaged"));
    }
    return result == Z_STREAM_END;
  }

  void restart() { WEIR_CHECK(::inflateReset(&stream_) == Z_OK); }

 private:
  z_stream stream_{};
};

[[noreturn]] void ends_early() {
  throw Error(ErrorCode::corrupt_data, "deflate: the compressed data end too early");
}
}  // namespace

std::size_t inflate_all(DeflateWrapper wrapper, std::span<const std::byte> in,
                        std::span<std::byte> out) {
  Inflater inflater(wrapper);
  auto room = out;
  for (;;) {
    const std::size_t left = in.size() + room.size();
    if (inflater.step(in, room)) {
      if (wrapper != DeflateWrapper::gzip || in.empty()) {
        break;
      }
      inflater.restart();
    } else if (in.empty()) {
      ends_early();
    } else if (in.size() + room.size() == left) {
      throw Error(ErrorCode::corrupt_data,
                  fmt::format("deflate: holds more than {} bytes", out.size()));
    }
  }
  return out.size() - room.size();
}

std::int64_t inflate_stream(const NextBytes& next, std::int64_t limit,
                            const std::function<void(std::span<const std::byte>)>& take) {
  constexpr std::size_t kPiece = std::size_t{64} << 10;
  const auto held = std::make_unique_for_overwrite<std::byte[]>(2 * kPiece);
  const std::span source(held.get(), kPiece);
  const std::span target(held.get() + kPiece, kPiece);
  Inflater inflater(DeflateWrapper::none);
  std::span<const std::byte> in;
  std::int64_t made = 0;
  bool ended = false;
  while (!ended && made < limit) {
    if (in.empty()) {
      in = source.first(next(source));
      if (in.empty()) {
        ends_early();
      }
    }
    auto room =
        target.first(static_cast<std::size_t>(std::min<std::int64_t>(kPiece, limit - made)));
    const std::size_t whole = room.size();
    ended = inflater.step(in, room);
    const auto fresh = target.first(whole - room.size());
    made += std::ssize(fresh);
    take(fresh);
  }
  return made;
}

}  // namespace weir::formats
