#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <thread>

#include "weir/core/error.h"
#include "weir/testing/format_conformance.h"

namespace weir::testing {
namespace {
using formats::EventSource;
using formats::EventStreamInfo;

std::string broken_info(const EventStreamInfo& info, std::int64_t rows) {
  if (info.name.empty() || info.format.empty()) {
    return "the stream has no name or no format";
  }
  if (info.count && *info.count != rows) {
    return fmt::format("the source counts {} rows, but gives {}", *info.count, rows);
  }
  for (const auto& segment : info.table.stream.segments) {
    if (segment.frames < 0) {
      return fmt::format("a segment of {} frames", segment.frames);
    }
  }
  return {};
}

std::string broken_row(const Event& event, const EventStreamInfo& info) {
  const auto& stream = info.table.stream;
  if (event.channel < 0 || event.channel >= stream.channel_count() ||
      event.segment >= stream.segments.size()) {
    return fmt::format("channel {} or segment {} is none of the stream's", event.channel,
                       event.segment);
  }
  const std::int64_t frames = stream.segments[event.segment].frames;
  const bool open = event.offset == Event::kOpen;
  if (event.onset < 0 || event.peak < 0 || (!open && event.offset < event.onset)) {
    return fmt::format("onset {}, peak {}, offset {}", event.onset, event.peak, event.offset);
  }
  if (event.final != (open ? std::max(event.onset, frames) : event.offset)) {
    return fmt::format("final is {}, neither the offset {} nor the segment's end {}", event.final,
                       event.offset, frames);
  }
  if (event.polarity != 1 && event.polarity != -1 && info.kind != formats::EventKind::table) {
    return fmt::format("polarity {}", event.polarity);
  }
  return {};
}

std::string broken_piece(const EventSource& source, const EventList& whole, std::int64_t first,
                         std::int64_t count) {
  EventList piece{Event{.onset = 77}};  // What is there before stays.
  source.read(first, count, piece);
  const std::int64_t begin = std::min<std::int64_t>(first, std::ssize(whole));
  const std::int64_t end = std::min<std::int64_t>(first + count, std::ssize(whole));
  if (std::ssize(piece) != 1 + end - begin || piece[0].onset != 77 ||
      !std::equal(piece.begin() + 1, piece.end(), whole.begin() + begin)) {
    return fmt::format("{} rows from {} are not those of the whole", count, first);
  }
  return {};
}

std::string broken_pieces(const EventSource& source, const EventList& whole, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::int64_t limit) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(limit));
  };
  const std::int64_t rows = std::ssize(whole);
  for (int i = 0; i < 24; ++i) {
    const std::int64_t count = below(i % 3 == 0 ? rows + 2 : 5);
    if (auto broken = broken_piece(source, whole, below(rows + 2), count); !broken.empty()) {
      return broken;
    }
  }
  return {};
}
}  // namespace

EventList read_all_events(const EventSource& source) {
  constexpr std::int64_t kPiece = 1000;
  EventList events;
  std::int64_t before = -1;
  while (std::ssize(events) != before) {
    before = std::ssize(events);
    source.read(before, kPiece, events);
  }
  return events;
}

std::string find_broken_events(const EventSource& source) {
  const EventList whole = read_all_events(source);
  std::string broken = broken_info(source.info(), std::ssize(whole));
  for (std::size_t i = 0; i < whole.size() && broken.empty(); ++i) {
    broken = broken_row(whole[i], source.info());
    if (broken.empty() && i > 0 && formats::row_before_in_table(whole[i], whole[i - 1])) {
      broken = "comes before the row it follows";
    }
    if (!broken.empty()) {
      broken = fmt::format("row {}: {}", i, broken);
    }
  }
  std::array<std::string, 4> found;
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < found.size() && broken.empty(); ++t) {
    threads.emplace_back([&, t] { found[t] = broken_pieces(source, whole, 10 + t); });
  }
  for (auto& thread : threads) {
    thread.join();
  }
  for (const auto& one : found) {
    broken = broken.empty() ? one : broken;
  }
  return broken;
}

void check_event_source(const EventSource& source) {
  EXPECT_EQ(find_broken_events(source), "") << source.info().name;
}

void try_events(const formats::Format& format, const std::filesystem::path& path,
                const formats::OpenOptions& options) {
  try {
    for (const auto& stream : format.list_events(path, options)) {
      formats::OpenOptions one = options;
      one.stream = stream.name;
      const auto source = format.open_events(path, one);
      EventList events;
      source->read(0, 1 << 12, events);
      for (std::size_t i = 0; i < events.size(); ++i) {
        const std::string broken = broken_row(events[i], source->info());
        WEIR_CHECK(broken.empty());
        WEIR_CHECK(i == 0 || !formats::row_before_in_table(events[i], events[i - 1]));
      }
    }
  } catch (const Error& error) {
    if (error.code() == ErrorCode::internal) {
      throw;
    }
  }
}

}  // namespace weir::testing
