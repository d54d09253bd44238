#include "weir/formats/kinds/nwb/nwb_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/kinds/nwb/nwb_series.h"
#include "weir/formats/kinds/nwb/nwb_values.h"
#include "weir/formats/raw_options.h"
#include "weir/formats/stored_events.h"

namespace weir::formats {
namespace {
namespace fs = std::filesystem;
constexpr std::int64_t kPieceTimes = 1 << 20;

[[noreturn]] void refuse(const std::string& text) {
  throw Error(ErrorCode::corrupt_data, text);
}

/// The rows of a table, told by its `id`; empty when there is no such table.
std::optional<std::int64_t> rows_of(const Hdf5File& file, const std::string& table) {
  const auto id = file.dataset(table + "/id", 0);
  if (id == nullptr || id->array().shape.size() != 1) {
    return std::nullopt;
  }
  return id->array().shape[0];
}

std::vector<std::string> unit_names(const Hdf5File& file, std::int64_t units) {
  const auto named = file.dataset("/units/unit_name", 0);
  if (named != nullptr && named->array().text &&
      named->array().shape == std::vector<std::int64_t>{units}) {
    return nwb_reading("/units/unit_name", [&] { return named->texts(units); });
  }
  std::vector<std::string> names;
  for (const double id : nwb_numbers(*file.dataset("/units/id", 0), "/units/id", units)) {
    names.push_back(fmt::format("{}", id));
  }
  return names;
}

/// Seconds on the recording's clock as samples of its segments.
class SampleClock {
 public:
  SampleClock(const Hdf5File& file, const OpenOptions& options, StreamInfo& stream) {
    const auto series = list_nwb_series(file);
    const auto largest =
        std::max_element(series.begin(), series.end(), [](const auto& a, const auto& b) {
          return static_cast<double>(a.frames) * static_cast<double>(a.channels) <
                 static_cast<double>(b.frames) * static_cast<double>(b.channels);
        });
    const auto raw = RawOptions::from(options.raw);
    if (largest != series.end()) {
      const RecordingInfo info = describe_nwb_series(file, *largest);
      stream.rate = info.rate;
      stream.segments = info.segments;
    } else if (raw.rate_hz) {
      stream.rate = raw.rate();
      stream.segments = {Segment{.frames = -1, .start_s = {}}};
    } else {
      throw Error(ErrorCode::unsupported,
                  "holds no ElectricalSeries whose samples its times could count: set raw.rate_hz");
    }
    hz_ = stream.rate.hz();
    for (const auto& segment : stream.segments) {
      starts_.push_back(segment.start_s.to_double());
      frames_.push_back(segment.frames);
    }
  }

  /// The segment and its sample nearest to a time; empty when it lies in none.
  std::optional<std::pair<std::uint32_t, std::int64_t>> at(double seconds) const {
    for (std::size_t i = starts_.size(); i-- > 0;) {
      const double sample = std::round((seconds - starts_[i]) * hz_);
      if (sample >= 0) {
        const bool inside =
            frames_[i] < 0 ? sample < 4e18 : sample <= static_cast<double>(frames_[i]);
        return inside ? std::optional(std::pair(static_cast<std::uint32_t>(i),
                                                static_cast<std::int64_t>(sample)))
                      : std::nullopt;
      }
    }
    return std::nullopt;
  }

 private:
  double hz_ = 1;
  std::vector<double> starts_;
  std::vector<std::int64_t> frames_;
};

EventStreamInfo stream_of(const Hdf5File& file, const std::string& table) {
  EventStreamInfo info;
  info.format = "nwb";
  info.name = table == "/units" ? "units" : table.substr(table.rfind('/') + 1);
  info.kind = table == "/units" ? EventKind::table : EventKind::annotations;
  if (table == "/units") {
    const std::int64_t units = *rows_of(file, table);
    if (units > kMostLabels) {
      throw Error(ErrorCode::unsupported,
                  fmt::format("/units: {} units, at most {} are read", units, kMostLabels));
    }
    info.table.stream.channels = make_channels(units);
    const auto names = unit_names(file, units);
    for (std::size_t i = 0; i < names.size(); ++i) {
      info.table.stream.channels[i].name = names[i];
    }
  } else {
    info.table.stream.channels = make_channels(1);
    info.table.stream.channels[0].name = info.name;
  }
  return info;
}

std::vector<std::string> tables_of(const Hdf5File& file) {
  std::vector<std::string> tables;
  if (rows_of(file, "/units") && file.dataset("/units/spike_times", 0) != nullptr) {
    tables.emplace_back("/units");
  }
  for (const auto& name : file.members("/intervals")) {
    const std::string table = "/intervals/" + name;
    if (rows_of(file, table) && file.dataset(table + "/start_time", 0) != nullptr) {
      tables.push_back(table);
    }
  }
  return tables;
}

/// Gathers events; times outside the recording are counted.
struct Gathered {
  EventList events;
  std::int64_t outside = 0;

  void add(const SampleClock& clock, double start, double stop, std::int32_t channel) {
    const auto from = clock.at(start);
    const auto to = clock.at(stop);
    if (!from) {
      ++outside;
      return;
    }
    Event event;
    event.segment = from->first;
    event.onset = event.peak = from->second;
    // What ends in another segment was on when its own ended.
    event.offset =
        to && to->first == from->first && to->second >= from->second ? to->second : Event::kOpen;
    event.channel = channel;
    event.polarity = 1;
    events.push_back(event);
  }
};

void gather_units(const Hdf5File& file, const SampleClock& clock, Gathered& gathered) {
  const std::string path = "/units/spike_times";
  const auto times = file.dataset(path, 0);
  const auto ends = file.dataset(path + "_index", 0);
  if (ends == nullptr || times->array().shape.size() != 1) {
    refuse(fmt::format("{}: has no index that tells which unit a spike is of", path));
  }
  const std::int64_t spikes = times->array().shape[0];
  if (spikes > kMostHeldEvents) {
    throw Error(ErrorCode::unsupported, fmt::format("{}: {} spikes, at most {} are held", path,
                                                    grouped(spikes), grouped(kMostHeldEvents)));
  }
  const auto index = nwb_numbers(*ends, path + "_index", kMostLabels);
  if (std::ssize(index) != *rows_of(file, "/units")) {
    refuse(fmt::format("{}_index: {} entries for {} units", path, index.size(),
                       *rows_of(file, "/units")));
  }
  std::size_t unit = 0;
  for (std::int64_t first = 0; first < spikes; first += kPieceTimes) {
    const auto piece = nwb_numbers(*times, path, first, std::min(kPieceTimes, spikes - first));
    for (std::size_t i = 0; i < piece.size(); ++i) {
      const auto at = static_cast<double>(first + static_cast<std::int64_t>(i));
      while (unit < index.size() && !(at < index[unit])) {
        ++unit;
      }
      if (unit == index.size()) {
        refuse(fmt::format("{}_index: ends before the last spike", path));
      }
      gathered.add(clock, piece[i], piece[i], static_cast<std::int32_t>(unit));
    }
  }
}

void gather_intervals(const Hdf5File& file, const std::string& table, const SampleClock& clock,
                      Gathered& gathered) {
  const std::int64_t most = *rows_of(file, table);
  if (most > kMostHeldEvents) {
    throw Error(ErrorCode::unsupported, fmt::format("{}: {} rows, at most {} are held", table,
                                                    grouped(most), grouped(kMostHeldEvents)));
  }
  const auto starts =
      nwb_numbers(*file.dataset(table + "/start_time", 0), table + "/start_time", most);
  const auto stop = file.dataset(table + "/stop_time", 0);
  const auto stops = stop == nullptr ? starts : nwb_numbers(*stop, table + "/stop_time", most);
  if (stops.size() != starts.size()) {
    refuse(fmt::format("{}: {} starts, but {} stops", table, starts.size(), stops.size()));
  }
  for (std::size_t i = 0; i < starts.size(); ++i) {
    gathered.add(clock, starts[i], stops[i], 0);
  }
}
}  // namespace

std::vector<EventStreamInfo> list_nwb_events(const Hdf5File& file, const fs::path& path,
                                             const OpenOptions& options) {
  return in_context(path.string(), [&] {
    return nwb_reading("HDF5", [&] {
      std::vector<EventStreamInfo> listed;
      for (const auto& table : tables_of(file)) {
        listed.push_back(stream_of(file, table));
        SampleClock(file, options, listed.back().table.stream);
      }
      return listed;
    });
  });
}

std::unique_ptr<EventSource> open_nwb_events(const Hdf5File& file, const fs::path& path,
                                             const OpenOptions& options) {
  const auto listed = list_nwb_events(file, path, options);
  const std::size_t chosen = choose_events(listed, options.stream, path.string());
  return in_context(path.string(), [&] {
    return nwb_reading("HDF5", [&] {
      const std::string table = tables_of(file).at(chosen);
      EventStreamInfo info = listed[chosen];
      const SampleClock clock(file, options, info.table.stream);
      Gathered gathered;
      if (table == "/units") {
        gather_units(file, clock, gathered);
      } else {
        gather_intervals(file, table, clock, gathered);
      }
      if (gathered.outside > 0) {
        info.warnings.push_back(
            fmt::format("{}: {}: {} of {} times lie outside the recording and are left out",
                        path.string(), table, grouped(gathered.outside),
                        grouped(gathered.outside + std::ssize(gathered.events))));
      }
      return make_stored_events(std::move(info), std::move(gathered.events));
    });
  });
}

std::vector<EventStreamInfo> list_nwb_events(const fs::path& path, const OpenOptions& options) {
  return list_nwb_events(*open_hdf5(path.string()), path, options);
}

std::unique_ptr<EventSource> open_nwb_events(const fs::path& path, const OpenOptions& options) {
  return open_nwb_events(*open_hdf5(path.string()), path, options);
}

}  // namespace weir::formats
