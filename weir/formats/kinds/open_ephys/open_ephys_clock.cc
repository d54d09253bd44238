#include "weir/formats/kinds/open_ephys/open_ephys_clock.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/frame_time.h"
#include "weir/formats/input_file.h"
#include "weir/formats/kinds/npy/npy_header.h"

namespace weir::formats {
namespace {
namespace fs = std::filesystem;
constexpr std::int64_t kBlock = 4096;
constexpr std::size_t kMostGaps = std::size_t{1} << 20;

/// Numbers of a one-dimensional .npy of int64, as many as the file has: a recording that was broken
/// off leaves a header that promises fewer.
class SampleNumbers {
 public:
  SampleNumbers(InputFile file, const NpyHeader& header)
      : file_(std::move(file)),
        first_byte_(header.bytes),
        count_((file_.size() - header.bytes) / 8),
        promised_(header.shape.empty() ? 0 : header.shape.front()) {}

  std::int64_t count() const noexcept { return count_; }
  std::int64_t promised() const noexcept { return promised_; }
  const fs::path& path() const noexcept { return file_.path(); }

  std::int64_t at(std::int64_t index) const {
    std::int64_t number = 0;
    read(index, std::span(&number, 1));
    return number;
  }
  void read(std::int64_t first, std::span<std::int64_t> numbers) const {
    file_.read(first_byte_ + 8 * first, std::as_writable_bytes(numbers));
  }

 private:
  InputFile file_;
  std::int64_t first_byte_;
  std::int64_t count_;
  std::int64_t promised_;
};

/// The numbers in `file`; empty when there is no such file, or it holds seconds.
std::optional<SampleNumbers> open_numbers(const fs::path& path) {
  if (!stands_at(path)) {
    return std::nullopt;
  }
  InputFile file(path);
  const NpyHeader header = read_npy_header(file, 0, file.size());
  if (header.type == StoredType::float64 || header.type == StoredType::float32) {
    return std::nullopt;
  }
  if ((header.type != StoredType::int64 && header.type != StoredType::uint64) ||
      header.big_endian || header.shape.size() != 1) {
    throw Error(ErrorCode::unsupported,
                fmt::format("{}: holds {} of shape {}, no list of int64 sample numbers",
                            path.string(), name(header.type), shape_text(header.shape)));
  }
  return SampleNumbers(std::move(file), header);
}

/// Whether the numbers grow by one from frame to frame, `frames` times.
bool steady(std::int64_t from, std::int64_t to, std::int64_t frames) {
  std::int64_t grown = 0;
  return !__builtin_sub_overflow(to, from, &grown) && grown == frames;
}

/// Frames in front of which the numbers jump.
class GapSearch {
 public:
  explicit GapSearch(const SampleNumbers& numbers) : numbers_(numbers) {}

  std::vector<std::int64_t> within(std::int64_t frames) {
    search(0, frames - 1, numbers_.at(0), numbers_.at(frames - 1));
    return std::move(gaps_);
  }
  std::int64_t backward() const noexcept { return backward_; }

 private:
  // As deep as frames can be halved.
  void search(std::int64_t first, std::int64_t last, std::int64_t from, std::int64_t to) {
    if (steady(from, to, last - first)) {
      return;
    }
    if (last - first < kBlock) {
      scan(first, last);
      return;
    }
    const std::int64_t middle = first + (last - first) / 2;
    const std::int64_t number = numbers_.at(middle);
    search(first, middle, from, number);
    search(middle, last, number, to);
  }

  void scan(std::int64_t first, std::int64_t last) {
    std::vector<std::int64_t> numbers(static_cast<std::size_t>(last - first + 1));
    numbers_.read(first, numbers);
    for (std::size_t i = 1; i < numbers.size(); ++i) {
      if (steady(numbers[i - 1], numbers[i], 1)) {
        continue;
      }
      if (gaps_.size() == kMostGaps) {
        throw Error(ErrorCode::corrupt_data,
                    fmt::format("{}: more than {} gaps", numbers_.path().string(), kMostGaps));
      }
      gaps_.push_back(first + static_cast<std::int64_t>(i));
      backward_ += numbers[i] <= numbers[i - 1] ? 1 : 0;
    }
  }

  const SampleNumbers& numbers_;
  std::vector<std::int64_t> gaps_;
  std::int64_t backward_ = 0;
};

void warn_of_sizes(const SampleNumbers& numbers, std::int64_t frames,
                   std::vector<std::string>& warnings) {
  const std::string shown = numbers.path().string();
  if (numbers.promised() != numbers.count()) {
    warnings.push_back(
        fmt::format("{}: its header says {} numbers, the file holds {}; the latter "
                    "are used",
                    shown, grouped(numbers.promised()), grouped(numbers.count())));
  }
  if (numbers.count() < frames) {
    warnings.push_back(fmt::format(
        "{}: {} sample numbers for {} frames; the last {} are timed as "
        "if they followed at once",
        shown, grouped(numbers.count()), grouped(frames), grouped(frames - numbers.count())));
  } else if (numbers.count() > frames) {
    warnings.push_back(fmt::format("{}: {} sample numbers for {} frames; the rest are ignored",
                                   shown, grouped(numbers.count()), grouped(frames)));
  }
}
}  // namespace

std::vector<Segment> open_ephys_segments(const fs::path& folder, std::int64_t frames,
                                         const SampleRate& rate,
                                         std::vector<std::string>& warnings) {
  auto numbers = open_numbers(folder / "sample_numbers.npy");
  if (!numbers) {
    numbers = open_numbers(folder / "timestamps.npy");
  }
  if (!numbers) {
    warnings.push_back(fmt::format("{}: no sample numbers: starts at 0 s, and gaps cannot be seen",
                                   folder.string()));
    return {Segment{.frames = frames, .start_s = {}}};
  }
  warn_of_sizes(*numbers, frames, warnings);
  const std::int64_t numbered = std::min(numbers->count(), frames);
  if (numbered == 0) {
    return {Segment{.frames = frames, .start_s = {}}};
  }
  GapSearch search(*numbers);
  std::vector<std::int64_t> starts = search.within(numbered);
  if (search.backward() > 0) {
    warnings.push_back(
        fmt::format("{}: sample numbers stay or go back at {} places; segments "
                    "start there",
                    numbers->path().string(), grouped(search.backward())));
  }
  starts.insert(starts.begin(), 0);
  starts.push_back(frames);
  std::vector<Segment> segments;
  for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
    const std::int64_t number = numbers->at(starts[i]);
    segments.push_back(Segment{
        .frames = starts[i + 1] - starts[i],
        .start_s = in_context(numbers->path().string(), [&] { return frame_time(number, rate); }),
        .first_frame = 0,
        .index = std::ssize(segments)});
  }
  return segments;
}

}  // namespace weir::formats
