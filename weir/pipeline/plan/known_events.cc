#include "weir/pipeline/plan/known_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/pipeline/input/path_pattern.h"
#include "weir/pipeline/input/read_events_node.h"

namespace weir::pipeline {
namespace {
constexpr std::int64_t kRowsAtOnce = 4096;

std::string replaced(std::string text, std::string_view what, const std::string& with) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
  return text;
}

std::filesystem::path events_path(const ReadEvents& read, const Spec& spec, const Input& input) {
  std::filesystem::path source = input.paths.empty() ? "" : input.paths.front();
  if (read.path.empty()) {
    return source;
  }
  const std::string text = replaced(replaced(read.path, "{stem}", source.stem().string()),
                                    "{input}", source.filename().string());
  return resolved_path(text, spec.base);
}

/// Finds the segment of a stream in which a sample of another lies, by time.
class SegmentFinder {
 public:
  SegmentFinder(const StreamInfo& from, const StreamInfo& to) : from_(from), to_(to) {
    order_.resize(to.segments.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::ranges::stable_sort(order_, {},
                             [&](std::size_t s) { return to.segments[s].start_s.to_double(); });
  }

  /// The event in samples of the segment that holds its onset; nothing where none does.
  std::optional<Event> place(const Event& event) {
    if (event.segment >= from_.segments.size()) {
      return std::nullopt;
    }
    const Segment& segment = from_.segments[event.segment];
    const double time =
        segment.start_s.to_double() + static_cast<double>(event.onset) / from_.rate.hz();
    const auto after = std::ranges::upper_bound(
        order_, time, {}, [&](std::size_t s) { return to_.segments[s].start_s.to_double(); });
    const auto at = after - order_.begin();
    // The nearest sample may be the first of the next segment, and doubles round.
    for (auto i = std::min<std::ptrdiff_t>(at, std::ssize(order_) - 1);
         i >= std::max<std::ptrdiff_t>(at - 2, 0); --i) {
      if (auto placed = in_segment(event, order_[static_cast<std::size_t>(i)])) {
        return placed;
      }
    }
    return std::nullopt;
  }

 private:
  std::optional<Event> in_segment(const Event& event, std::size_t target) {
    const SampleMap& map = map_of(event.segment, target);
    const std::int64_t frames = to_.segments[target].frames;
    Event placed = event;
    placed.onset = map(event.onset);
    if (placed.onset < 0 || placed.onset >= frames) {
      return std::nullopt;
    }
    placed.segment = static_cast<std::uint32_t>(target);
    placed.peak = std::clamp<std::int64_t>(map(event.peak), 0, frames - 1);
    if (event.offset != Event::kOpen) {
      placed.offset = map(event.offset);
      placed.offset = placed.offset > frames ? Event::kOpen : std::max(placed.offset, placed.onset);
    }
    placed.final = std::max(placed.onset, placed.peak);
    return placed;
  }

  const SampleMap& map_of(std::uint32_t from, std::size_t to) {
    const auto key = std::pair{static_cast<std::size_t>(from), to};
    auto found = maps_.find(key);
    if (found == maps_.end()) {
      found =
          maps_
              .emplace(key, SampleMap(from_.segments[from], from_.rate, to_.segments[to], to_.rate))
              .first;
    }
    return found->second;
  }

  const StreamInfo& from_;
  const StreamInfo& to_;
  std::vector<std::size_t> order_;  ///< Segments by start.
  std::map<std::pair<std::size_t, std::size_t>, SampleMap> maps_;
};
}  // namespace

EventSources open_event_sources(const Spec& spec, const formats::FormatList& formats, Input& input,
                                std::vector<Problem>& problems) {
  EventSources sources;
  for (const Node& node : spec.nodes) {
    if (node.op != "read_events") {
      continue;
    }
    const ReadEvents read =
        read_events_schema().read(node.params, node.id, op::node_keys(), problems);
    try {
      const auto path = events_path(read, spec, input);
      formats::OpenOptions options;
      options.stream = read.stream;
      options.raw = read.raw;
      const std::shared_ptr<const formats::EventSource> source =
          formats.open_events(path, options, read.format);
      if (std::ranges::find(input.paths, path) == input.paths.end()) {
        input.paths.push_back(path);  // Part of what the run's identity tells.
      }
      for (const auto& warning : source->info().warnings) {
        input.warnings.push_back(warning);
      }
      sources.emplace(node.id, source);
    } catch (const Error& error) {
      problems.push_back({node.id, "", error.text(), error.code()});
    }
  }
  return sources;
}

std::shared_ptr<const KnownEvents> known_events(const std::string& node,
                                                const formats::EventSource& source,
                                                const StreamInfo& in, std::size_t most_bytes,
                                                std::vector<std::string>& warnings) {
  auto known = std::make_shared<KnownEvents>();
  known->node = node;
  known->channels = source.info().table.stream.channels;
  known->segments.resize(in.segments.size());
  SegmentFinder finder(source.info().table.stream, in);
  std::int64_t rows = 0;
  std::int64_t kept = 0;
  const auto most = static_cast<std::int64_t>(most_bytes / sizeof(Event));
  for (EventList some;; some.clear()) {
    source.read(rows, kRowsAtOnce, some);
    rows += std::ssize(some);
    for (const Event& event : some) {
      if (const auto placed = finder.place(event)) {
        known->segments[placed->segment].push_back(*placed);
        ++kept;
      }
    }
    if (kept > most) {
      throw Error(ErrorCode::out_of_memory,
                  fmt::format("more than {} events are too many for the memory there is: {} "
                              "allowed for them (raise execution.memory)",
                              grouped(most), bytes_text(most_bytes)));
    }
    if (std::ssize(some) < kRowsAtOnce) {
      break;
    }
  }
  for (auto& events : known->segments) {
    std::stable_sort(events.begin(), events.end(), row_before);
    events.shrink_to_fit();
  }
  if (kept < rows) {
    warnings.push_back(fmt::format("node {}: {} of {} events lie outside the recording", node,
                                   grouped(rows - kept), grouped(rows)));
  }
  return known;
}

}  // namespace weir::pipeline
