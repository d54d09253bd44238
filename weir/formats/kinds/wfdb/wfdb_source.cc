#include "weir/formats/kinds/wfdb/wfdb_source.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "weir/core/error.h"
#include "weir/formats/kinds/wfdb/wfdb_packing.h"
#include "weir/formats/stored_samples.h"

namespace weir::formats {
namespace {
bool is_int16(double value) noexcept {
  return value == std::floor(value) && value >= INT16_MIN && value <= INT16_MAX;
}

bool all_int16(const std::vector<WfdbPart>& parts) {
  for (const auto& part : parts) {
    for (const auto& lead : part.leads) {
      if (lead.signal) {
        const int format = part.record.header.signals[*lead.signal].format;
        if (lead.scale != 1 || lead.shift != 0 || wfdb_stored(format) == StoredType::int32 ||
            wfdb_stored(format) == StoredType::int24) {
          return false;
        }
      } else if (!is_int16(lead.shift)) {
        return false;
      }
    }
  }
  return true;
}

/// Wanted channels that are read together: those of one file, stored equally late.
using ReadTogether = std::map<std::pair<std::size_t, std::int64_t>, std::vector<std::size_t>>;

class WfdbSource final : public RecordingSource {
 public:
  WfdbSource(std::vector<WfdbPart> parts, std::int64_t samples, RecordingInfo info)
      : parts_(std::move(parts)),
        samples_(samples),
        info_(std::move(info)),
        int16_(all_int16(parts_)) {}

  const RecordingInfo& info() const noexcept override { return info_; }
  void read(std::int64_t segment, std::int64_t first, std::span<const std::int64_t> channels,
            Block<float> out) const override {
    read_as(segment, first, channels, out);
  }
  bool stored_as_int16() const noexcept override { return int16_; }
  void read_stored(std::int64_t segment, std::int64_t first, std::span<const std::int64_t> channels,
                   Block<std::int16_t> out) const override {
    WEIR_CHECK(int16_);
    read_as(segment, first, channels, out);
  }
  std::size_t cache_bytes(std::int64_t) const noexcept override {
    std::size_t sums = 0;
    std::size_t most = 0;
    for (const auto& part : parts_) {
      for (const auto& file : part.record.files) {
        sums += file.held_bytes() - file_piece(file);
        most = std::max(most, 2 * file_piece(file));
      }
    }
    return sums + most + static_cast<std::size_t>(64 * info_.channel_count());
  }

 private:
  static std::size_t file_piece(const WfdbSignalFile& file) noexcept {
    return static_cast<std::size_t>(8 * file.piece_frames() * file.frame_samples() + 16);
  }

  template <class T>
  void read_as(std::int64_t segment, std::int64_t first, std::span<const std::int64_t> channels,
               Block<T> out) const {
    WEIR_CHECK(segment >= 0 && segment < std::ssize(parts_) && first >= 0 &&
               first <= info_.segments[segment].frames - out.frames());
    WEIR_CHECK(out.channels() == std::ssize(channels));
    const WfdbPart& part = parts_[segment];
    ReadTogether together;
    for (std::size_t i = 0; i < channels.size(); ++i) {
      const WfdbLead& lead = part.leads[static_cast<std::size_t>(channels[i])];
      if (lead.signal) {
        const auto key = std::pair(part.record.file_of[*lead.signal],
                                   part.record.header.signals[*lead.signal].skew);
        together[key].push_back(i);
      } else {
        fill(out.columns(static_cast<std::int64_t>(i), 1), static_cast<T>(lead.shift));
      }
    }
    for (const auto& [key, columns] : together) {
      read_file(part, part.record.files[key.first], first + key.second * samples_, channels,
                columns, out);
    }
  }

  template <class T>
  static void fill(Block<T> column, T value) {
    for (std::int64_t f = 0; f < column.frames(); ++f) {
      column(f, 0) = value;
    }
  }

  /// From sample `first` of the file on, counted as the channels' rate does.
  template <class T>
  void read_file(const WfdbPart& part, const WfdbSignalFile& file, std::int64_t first,
                 std::span<const std::int64_t> channels, const std::vector<std::size_t>& columns,
                 Block<T> out) const {
    const std::int64_t width = file.frame_samples();
    const std::int64_t stop = first + out.frames();
    std::vector<std::int32_t> rows;
    for (std::int64_t at = first; at < stop;) {
      const std::int64_t frame = at / samples_;
      const std::int64_t last = (stop - 1) / samples_;
      const std::int64_t count = std::min(file.piece_frames(), last + 1 - frame);
      rows.resize(static_cast<std::size_t>(count * width));
      file.read(frame, count, rows);
      const std::int64_t end = std::min(stop, (frame + count) * samples_);
      for (const std::size_t i : columns) {
        const WfdbLead& lead = part.leads[static_cast<std::size_t>(channels[i])];
        const std::int64_t place = part.record.sample_of[*lead.signal];
        for (std::int64_t s = at; s < end; ++s) {
          const std::int64_t row = s / samples_ - frame;
          const std::int32_t count_read = rows[row * width + place + s % samples_];
          out(s - first, static_cast<std::int64_t>(i)) = value_of<T>(lead, count_read);
        }
      }
      at = end;
    }
  }

  template <class T>
  static T value_of(const WfdbLead& lead, std::int32_t count) noexcept {
    if (lead.scale == 1 && lead.shift == 0) {
      return static_cast<T>(count);
    }
    return static_cast<T>(count * lead.scale + lead.shift);
  }

  std::vector<WfdbPart> parts_;
  std::int64_t samples_;
  RecordingInfo info_;
  bool int16_;
};
}  // namespace

std::unique_ptr<RecordingSource> make_wfdb_source(std::vector<WfdbPart> parts, std::int64_t samples,
                                                  RecordingInfo info) {
  WEIR_CHECK(parts.size() == info.segments.size());
  return std::make_unique<WfdbSource>(std::move(parts), samples, std::move(info));
}

}  // namespace weir::formats
