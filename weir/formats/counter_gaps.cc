#include "weir/formats/counter_gaps.h"

#include <fmt/format.h>

#include "weir/core/error.h"

namespace weir::formats {
namespace {
constexpr std::int64_t kBlock = 4096;
constexpr std::size_t kMostGaps = std::size_t{1} << 20;

/// Whether the counters grow by one from frame to frame, `frames` times.
bool steady(std::int64_t from, std::int64_t to, std::int64_t frames) {
  std::int64_t grown = 0;
  return !__builtin_sub_overflow(to, from, &grown) && grown == frames;
}

class GapSearch {
 public:
  explicit GapSearch(const ReadCounters& read) : read_(read) {}

  CounterGaps within(std::int64_t frames) {
    search(0, frames - 1, at(0), at(frames - 1));
    return std::move(gaps_);
  }

 private:
  std::int64_t at(std::int64_t frame) const {
    std::int64_t number = 0;
    read_(frame, std::span(&number, 1));
    return number;
  }

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
    const std::int64_t number = at(middle);
    search(first, middle, from, number);
    search(middle, last, number, to);
  }

  void scan(std::int64_t first, std::int64_t last) {
    std::vector<std::int64_t> numbers(static_cast<std::size_t>(last - first + 1));
    read_(first, numbers);
    for (std::size_t i = 1; i < numbers.size(); ++i) {
      if (steady(numbers[i - 1], numbers[i], 1)) {
        continue;
      }
      if (gaps_.starts.size() == kMostGaps) {
        throw Error(ErrorCode::corrupt_data,
                    fmt::format("the counters of frames have more than {} gaps", kMostGaps));
      }
      gaps_.starts.push_back(first + static_cast<std::int64_t>(i));
      gaps_.backward += numbers[i] <= numbers[i - 1] ? 1 : 0;
    }
  }

  const ReadCounters& read_;
  CounterGaps gaps_;
};
}  // namespace

CounterGaps find_counter_gaps(std::int64_t frames, const ReadCounters& read) {
  return GapSearch(read).within(frames);
}

}  // namespace weir::formats
