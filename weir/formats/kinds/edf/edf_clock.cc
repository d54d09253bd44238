#include "weir/formats/kinds/edf/edf_clock.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "weir/core/error.h"
#include "weir/core/text.h"

namespace weir::formats {
namespace {
constexpr std::int64_t kMostSegments = std::int64_t{1} << 20;
/// Records of a stretch that are all read; longer ones are halved.
constexpr std::int64_t kShortStretch = 4096;

/// When a record starts; empty where it does not tell.
std::optional<Rational> onset_of(const InputFile& file, const EdfHeader& header,
                                 std::int64_t record) {
  const EdfSignal* signal = header.timekeeper();
  const bool timed = header.type.ends_with("+C") || header.discontinuous();
  if (signal == nullptr || !timed) {
    return std::nullopt;
  }
  std::string text(
      static_cast<std::size_t>(std::min(signal->samples * header.sample_bytes, std::int64_t{64})),
      '\0');
  file.read(header.header_bytes + record * header.record_bytes + signal->record_byte,
            std::as_writable_bytes(std::span(text)));
  return edf_onset(text);
}

/// Goes from record to record. One that does not start where the one before ended, to half a sample
/// of the fastest signal, starts a segment.
class Discontinuous {
 public:
  Discontinuous(const InputFile& file, const EdfHeader& header, std::int64_t samples)
      : file_(file), header_(header), samples_(samples), record_s_(header.record_s.to_double()) {
    std::int64_t most = 1;
    for (const auto& signal : header.signals) {
      most = std::max(most, signal.annotations ? 1 : signal.samples);
    }
    tolerance_ = record_s_ / static_cast<double>(2 * most);
  }

  EdfSegments find(std::int64_t records, std::vector<std::string>& warnings) {
    visit(0, onset_of(file_, header_, 0));
    if (records > 1) {
      search(0, records - 1);
    }
    if (untimed_ > 0) {
      warnings.push_back(
          fmt::format("{} of {} data records have no time, the first is record {}; "
                      "each is taken to follow the one before",
                      grouped(untimed_), grouped(records), grouped(first_untimed_)));
    }
    if (backward_ > 0) {
      warnings.push_back(fmt::format("{} data records start before the one in front of them ended",
                                     grouped(backward_)));
    }
    return std::move(found_);
  }

 private:
  /// How much later a record starts than those before tell, in seconds.
  double drift(std::int64_t record, const std::optional<Rational>& onset) const {
    if (!onset || last_timed_ < 0) {
      return 0;
    }
    return onset->to_double() - last_.to_double() -
           record_s_ * static_cast<double>(record - last_timed_);
  }

  /// The records behind `first`, which was visited, up to `last`.
  void search(std::int64_t first, std::int64_t last) {
    if (last - first <= kShortStretch) {
      for (std::int64_t record = first + 1; record <= last; ++record) {
        visit(record, onset_of(file_, header_, record));
      }
      return;
    }
    const auto onset = onset_of(file_, header_, last);
    if (onset && last_timed_ == first && std::abs(drift(last, onset)) <= tolerance_) {
      found_.segments.back().frames += samples_ * (last - first - 1);
      visit(last, onset);
      return;
    }
    const std::int64_t middle = first + (last - first) / 2;
    search(first, middle);
    search(middle, last);
  }

  void visit(std::int64_t record, const std::optional<Rational>& onset) {
    first_untimed_ = !onset && untimed_ == 0 ? record : first_untimed_;
    untimed_ += onset ? 0 : 1;
    const double late = drift(record, onset);
    backward_ += late < -tolerance_ ? 1 : 0;
    if (record == 0 || std::abs(late) > tolerance_) {
      if (std::ssize(found_.segments) == kMostSegments) {
        throw Error(ErrorCode::corrupt_data,
                    fmt::format("more than {} gaps between data records", grouped(kMostSegments)));
      }
      found_.segments.push_back(Segment{.frames = 0,
                                        .start_s = onset.value_or(Rational(0)),
                                        .first_frame = 0,
                                        .index = std::ssize(found_.segments)});
      found_.first_frames.push_back(record * samples_);
    }
    found_.segments.back().frames += samples_;
    if (onset) {
      last_ = *onset;
      last_timed_ = record;
    }
  }

  const InputFile& file_;
  const EdfHeader& header_;
  std::int64_t samples_;
  double record_s_;
  double tolerance_ = 0;
  EdfSegments found_;
  std::int64_t untimed_ = 0;
  std::int64_t first_untimed_ = 0;
  std::int64_t backward_ = 0;
  Rational last_;  ///< When the last record that tells its time starts.
  std::int64_t last_timed_ = -1;
};
}  // namespace

EdfSegments edf_segments(const InputFile& file, const EdfHeader& header, std::int64_t records,
                         std::int64_t samples, std::vector<std::string>& warnings) {
  if (records == 0) {
    return {{Segment{.frames = 0, .start_s = {}}}, {0}};
  }
  if (header.discontinuous()) {
    return Discontinuous(file, header, samples).find(records, warnings);
  }
  // EDF+C starts at a part of a second.
  return {{Segment{.frames = records * samples,
                   .start_s = onset_of(file, header, 0).value_or(Rational(0))}},
          {0}};
}

}  // namespace weir::formats
