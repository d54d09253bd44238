#include "weir/formats/record_source.h"

#include <algorithm>

#include "weir/core/error.h"
#include "weir/formats/stored_samples.h"

namespace weir::formats {
namespace {
/// Records up to this size are read whole, however little of them is wanted.
constexpr std::int64_t kSmallRecord = std::int64_t{64} << 10;
/// Records up to this size are read whole where all their samples are wanted.
constexpr std::int64_t kLargeRecord = std::int64_t{1} << 20;
constexpr std::int64_t kPieceSamples = std::int64_t{32} << 10;

class RecordSource final : public RecordingSource {
 public:
  RecordSource(InputFile file, RecordLayout layout, RecordingInfo info)
      : file_(std::move(file)),
        layout_(std::move(layout)),
        info_(std::move(info)),
        sample_bytes_(stored_bytes(info_.stored)) {}

  const RecordingInfo& info() const noexcept override { return info_; }
  void read(std::int64_t segment, std::int64_t first, std::span<const std::int64_t> channels,
            Block<float> out) const override {
    read_as(segment, first, channels, out);
  }
  bool stored_as_int16() const noexcept override { return fits_int16(info_.stored); }
  void read_stored(std::int64_t segment, std::int64_t first, std::span<const std::int64_t> channels,
                   Block<std::int16_t> out) const override {
    WEIR_CHECK(stored_as_int16());
    read_as(segment, first, channels, out);
  }
  std::int64_t preferred_frames() const noexcept override {
    return layout_.record_bytes <= kLargeRecord ? layout_.samples : 0;
  }
  std::size_t cache_bytes(std::int64_t) const noexcept override {
    return static_cast<std::size_t>(kLargeRecord);
  }

 private:
  template <class T>
  void read_as(std::int64_t segment, std::int64_t first, std::span<const std::int64_t> channels,
               Block<T> out) const {
    const auto index = static_cast<std::size_t>(segment);
    WEIR_CHECK(index < info_.segments.size() && first >= 0 &&
               first <= info_.segments[index].frames - out.frames());
    WEIR_CHECK(out.channels() == static_cast<std::int64_t>(channels.size()));
    std::vector<std::byte> scratch;
    for (std::int64_t done = 0; done < out.frames() && !channels.empty();) {
      const std::int64_t frame = layout_.first_frames[index] + first + done;
      const std::int64_t record = frame / layout_.samples;
      const std::int64_t at = frame % layout_.samples;
      const std::int64_t left = out.frames() - done;
      const bool whole = at == 0 && left >= layout_.samples;
      if (layout_.record_bytes <= (whole ? kLargeRecord : kSmallRecord)) {
        done += read_records(record, at, channels, out.slice(done, left), scratch);
      } else {
        const std::int64_t count = std::min({left, layout_.samples - at, kPieceSamples});
        read_pieces(record, at, channels, out.slice(done, count), scratch);
        done += count;
      }
    }
  }

  /// From sample `at` of `record` on, as many records as one read takes; tells the frames read.
  template <class T>
  std::int64_t read_records(std::int64_t record, std::int64_t at,
                            std::span<const std::int64_t> channels, Block<T> out,
                            std::vector<std::byte>& scratch) const {
    const std::int64_t wanted = (at + out.frames() + layout_.samples - 1) / layout_.samples;
    const std::int64_t records =
        std::clamp(kLargeRecord / layout_.record_bytes, std::int64_t{1}, wanted);
    load(record, 0, records * layout_.record_bytes, scratch);
    std::int64_t done = 0;
    for (std::int64_t r = 0; r < records; ++r) {
      const std::int64_t skip = r == 0 ? at : 0;
      const std::int64_t count = std::min(layout_.samples - skip, out.frames() - done);
      for (std::size_t c = 0; c < channels.size(); ++c) {
        const auto* samples =
            scratch.data() + r * layout_.record_bytes + byte_of(channels[c], skip);
        unpack_columns(info_.stored, samples, count,
                       out.slice(done, count).columns(static_cast<std::int64_t>(c), 1));
      }
      done += count;
    }
    return done;
  }

  template <class T>
  void read_pieces(std::int64_t record, std::int64_t at, std::span<const std::int64_t> channels,
                   Block<T> out, std::vector<std::byte>& scratch) const {
    for (std::size_t c = 0; c < channels.size(); ++c) {
      load(record, byte_of(channels[c], at), out.frames() * sample_bytes_, scratch);
      unpack_columns(info_.stored, scratch.data(), out.frames(),
                     out.columns(static_cast<std::int64_t>(c), 1));
    }
  }

  std::int64_t byte_of(std::int64_t channel, std::int64_t sample) const noexcept {
    return layout_.channel_bytes[static_cast<std::size_t>(channel)] + sample * sample_bytes_;
  }

  void load(std::int64_t record, std::int64_t byte, std::int64_t count,
            std::vector<std::byte>& scratch) const {
    scratch.resize(std::max(scratch.size(), static_cast<std::size_t>(count)));
    file_.read(layout_.header_bytes + record * layout_.record_bytes + byte,
               std::span(scratch).first(static_cast<std::size_t>(count)));
  }

  InputFile file_;
  RecordLayout layout_;
  RecordingInfo info_;
  std::int64_t sample_bytes_;
};
}  // namespace

std::unique_ptr<RecordingSource> make_record_source(InputFile file, RecordLayout layout,
                                                    RecordingInfo info) {
  WEIR_CHECK(layout.samples > 0 && layout.first_frames.size() == info.segments.size() &&
             layout.channel_bytes.size() == info.channels.size());
  return std::make_unique<RecordSource>(std::move(file), std::move(layout), std::move(info));
}

}  // namespace weir::formats
