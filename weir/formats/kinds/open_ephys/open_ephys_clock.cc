#include "weir/formats/kinds/open_ephys/open_ephys_clock.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/counter_gaps.h"
#include "weir/formats/frame_time.h"
#include "weir/formats/input_file.h"
#include "weir/formats/kinds/npy/npy_header.h"

namespace weir::formats {
namespace {
namespace fs = std::filesystem;

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
  auto [starts, backward] = in_context(numbers->path().string(), [&] {
    return find_counter_gaps(numbered, [&](std::int64_t first, std::span<std::int64_t> to) {
      numbers->read(first, to);
    });
  });
  if (backward > 0) {
    warnings.push_back(
        fmt::format("{}: sample numbers stay or go back at {} places; segments "
                    "start there",
                    numbers->path().string(), grouped(backward)));
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
