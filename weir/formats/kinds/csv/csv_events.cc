#include "weir/formats/kinds/csv/csv_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/kinds/csv/csv_clock.h"
#include "weir/formats/kinds/csv/csv_records.h"
#include "weir/formats/raw_options.h"
#include "weir/formats/stored_events.h"
#include "weir/formats/text_encoding.h"

namespace weir::formats {
namespace {
constexpr std::int64_t kListedBytes = std::int64_t{1} << 21;
constexpr std::size_t kMostSegments = 65536;
/// What a table of seconds alone counts in: no clock of a laboratory is finer.
constexpr std::int64_t kMicroseconds = 1'000'000;

enum Column : std::size_t {
  channel,
  channel_name,
  onset_sample,
  offset_sample,
  peak_sample,
  peak_value,
  onset_s,
  offset_s,
  duration_s,
  segment,
  polarity,
  columns
};
constexpr std::array<std::string_view, columns> kNames{
    "channel", "channel_name", "onset_sample", "offset_sample", "peak_sample", "peak_value",
    "onset_s", "offset_s",     "duration_s",   "segment",       "polarity"};

/// The number that `text` is, whole. Errors: `corrupt_data` quoting it.
template <class Number>
Number number_of(std::string_view text, std::string_view what) {
  Number number{};
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc() || end != text.data() + text.size()) {
    throw Error(ErrorCode::corrupt_data, fmt::format("\"{}\" is not {}", text, what));
  }
  return number;
}

class CsvTable {
 public:
  CsvTable(const std::filesystem::path& path, const OpenOptions& options)
      : path_(path), file_(path), records_(file_), raw_(RawOptions::from(options.raw)) {
    info_.name = path.stem().string();
    info_.format = "csv";
    info_.kind = EventKind::table;
  }

  /// Rows that begin before `limit` bytes; whether there were more.
  bool read(std::int64_t limit) {
    read_header();
    std::vector<std::string> fields;
    while (records_.offset() < limit && records_.next(fields)) {
      in_context(fmt::format("{}: line {}", path_.string(), records_.line()),
                 [&] { read_row(fields); });
    }
    return records_.offset() < file_.size();
  }

  /// What is known of the table once its rows are read.
  EventStreamInfo info() {
    auto& stream = info_.table.stream;
    in_context(path_.string(), [&] {
      stream.rate = rate();
      const double slack_s = raw_.rate_hz ? 0.5 / *raw_.rate_hz : 0;
      const auto starts = starts_of(times_, stream.segments.size(), stream.rate, slack_s);
      for (std::size_t i = 0; i < starts.size(); ++i) {
        stream.segments[i].start_s = starts[i];
      }
    });
    const auto plain = make_channels(stream.channel_count());
    for (std::size_t i = 0; i < plain.size(); ++i) {
      if (stream.channels[i].name.empty()) {
        stream.channels[i].name = plain[i].name;
      }
      stream.channels[i].source_index = plain[i].source_index;
    }
    return info_;
  }

  EventList take_rows() { return std::move(rows_); }

 private:
  void read_header() {
    std::vector<std::string> fields;
    if (!records_.next(fields)) {
      throw Error(ErrorCode::corrupt_data,
                  fmt::format("{}: is empty: an event table begins with the names of its columns",
                              path_.string()));
    }
    at_.fill(std::nullopt);
    width_ = fields.size();
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const auto* found = std::find(kNames.begin(), kNames.end(), trimmed(fields[i]));
      if (found == kNames.end()) {
        info_.warnings.push_back(
            fmt::format("{}: column \"{}\" is not kept", path_.string(), printable(fields[i])));
        continue;
      }
      auto& place = at_[static_cast<std::size_t>(found - kNames.begin())];
      if (place) {
        throw Error(ErrorCode::corrupt_data,
                    fmt::format("{}: column {} is there twice", path_.string(), *found));
      }
      place = i;
    }
    in_seconds_ = !at_[onset_sample] && at_[onset_s];
    if (!in_seconds_ && (!at_[onset_sample] || (!at_[channel] && !at_[channel_name]))) {
      throw Error(
          ErrorCode::corrupt_data,
          fmt::format("{}: is no event table: its first line must name the columns "
                      "onset_sample and channel or channel_name, or onset_s, but reads {}",
                      path_.string(), printable(fmt::format("{}", fmt::join(fields, ",")))));
    }
    if (in_seconds_) {
      for (const Column column : {offset_sample, peak_sample, segment}) {
        if (at_[column]) {
          throw Error(ErrorCode::corrupt_data,
                      fmt::format("{}: has the column {}, but no onset_sample", path_.string(),
                                  kNames[column]));
        }
      }
    }
  }

  /// The field of a column; empty when it has none or the table lacks the column.
  std::string_view field(const std::vector<std::string>& fields, Column column) const {
    return at_[column] ? trimmed(fields[*at_[column]]) : std::string_view();
  }

  template <class Body>
  void in_column(const std::vector<std::string>& fields, Column column, Body&& body) const {
    if (const auto text = field(fields, column); !text.empty()) {
      in_context(kNames[column], [&] { body(text); });
    }
  }

  void read_row(const std::vector<std::string>& fields) {
    if (fields.size() != width_) {
      throw Error(ErrorCode::corrupt_data,
                  fmt::format("{} fields, but {} columns", fields.size(), width_));
    }
    if (std::ssize(rows_) == kMostHeldEvents) {
      throw Error(ErrorCode::unsupported,
                  fmt::format("more than {} rows", grouped(kMostHeldEvents)));
    }
    EventRow row;
    row.polarity = 1;
    in_seconds_ ? read_seconds(fields, row) : read_samples(fields, row);
    in_column(fields, peak_value,
              [&](std::string_view text) { row.peak_value = number_of<float>(text, "a number"); });
    in_column(fields, polarity, [&](std::string_view text) {
      row.polarity = number_of<std::int8_t>(text, "1, 0 or -1");
      if (row.polarity < -1 || row.polarity > 1) {
        throw Error(ErrorCode::corrupt_data, fmt::format("{} is not 1, 0 or -1", text));
      }
    });
    row.channel = channel_of(fields);
    const std::uint32_t place = segment_of(fields);
    rows_.push_back(from_row(row, place, info_.table));
    if (!in_seconds_) {
      read_times(fields, place);
    }
  }

  void read_samples(const std::vector<std::string>& fields, EventRow& row) const {
    const auto onset = sample(fields, onset_sample);
    if (!onset) {
      throw Error(ErrorCode::corrupt_data, "onset_sample: is empty");
    }
    row.onset_sample = *onset;
    // A table that knows of no offsets lists points, not what never ended.
    row.offset_sample = at_[offset_sample] ? sample(fields, offset_sample) : onset;
    row.peak_sample = sample(fields, peak_sample).value_or(row.onset_sample);
  }

  /// Times on the recording's clock, from its second 0 on.
  void read_seconds(const std::vector<std::string>& fields, EventRow& row) const {
    std::optional<std::uint64_t> onset;
    in_column(fields, onset_s, [&](std::string_view text) { onset = microsecond_of(text); });
    if (!onset) {
      throw Error(ErrorCode::corrupt_data, "onset_s: is empty");
    }
    row.onset_sample = row.peak_sample = *onset;
    row.offset_sample = onset;
    in_column(fields, offset_s,
              [&](std::string_view text) { row.offset_sample = microsecond_of(text); });
    if (!at_[offset_s]) {
      in_column(fields, duration_s,
                [&](std::string_view text) { row.offset_sample = *onset + microsecond_of(text); });
    }
  }

  static std::uint64_t microsecond_of(std::string_view text) {
    const double seconds = seconds_of(text);
    if (seconds < 0) {
      throw Error(ErrorCode::corrupt_data,
                  fmt::format("{} lies before second 0 of the recording's clock", text));
    }
    return static_cast<std::uint64_t>(std::llround(seconds * static_cast<double>(kMicroseconds)));
  }

  void read_times(const std::vector<std::string>& fields, std::uint32_t place) {
    const Event& event = rows_.back();
    in_column(fields, onset_s, [&](std::string_view text) {
      times_.push_back({place, event.onset, seconds_of(text)});
    });
    in_column(fields, duration_s, [&](std::string_view text) {
      const std::int64_t samples = event.offset - event.onset;
      const double seconds = seconds_of(text);
      if (event.offset != Event::kOpen && samples > longest_.sample) {
        longest_ = {0, samples, seconds};
      }
    });
  }

  static double seconds_of(std::string_view text) {
    const auto seconds = number_of<double>(text, "a time in seconds");
    if (!(seconds > -9e9 && seconds < 9e9)) {
      throw Error(ErrorCode::corrupt_data, fmt::format("{} is no time in a recording", text));
    }
    return seconds;
  }

  std::optional<std::uint64_t> sample(const std::vector<std::string>& fields, Column column) const {
    std::optional<std::uint64_t> number;
    in_column(fields, column, [&](std::string_view text) {
      number = number_of<std::uint64_t>(text, "a sample's index");
    });
    return number;
  }

  /// Which of the table's channels a row is of; a table of names alone counts them as they come.
  std::int32_t channel_of(const std::vector<std::string>& fields) {
    // Blanks are part of a name.
    const std::string name = at_[channel_name] ? to_utf8(fields[*at_[channel_name]]) : "";
    auto& channels = info_.table.stream.channels;
    std::optional<std::int64_t> index;
    in_column(fields, channel, [&](std::string_view text) {
      index = number_of<std::int64_t>(text, "a channel's index");
      if (*index < 0 || *index >= kMostLabels) {
        throw Error(ErrorCode::corrupt_data,
                    fmt::format("{} is not between 0 and {}", *index, kMostLabels - 1));
      }
    });
    if (!index && in_seconds_ && !at_[channel_name]) {
      index = 0;
    }
    if (!index) {
      if (at_[channel]) {
        throw Error(ErrorCode::corrupt_data, "channel: is empty");
      }
      index = named_.try_emplace(name, std::ssize(channels)).first->second;
      if (*index >= kMostLabels) {
        throw Error(
            ErrorCode::unsupported,
            fmt::format("channel_name: more than {} different names", grouped(kMostLabels)));
      }
    }
    if (*index >= std::ssize(channels)) {
      channels.resize(static_cast<std::size_t>(*index) + 1);
    }
    std::string& known = channels[static_cast<std::size_t>(*index)].name;
    if (!known.empty() && !name.empty() && known != name) {
      throw Error(ErrorCode::corrupt_data,
                  fmt::format("channel_name: channel {} is called \"{}\" here, but \"{}\" before",
                              *index, printable(name), printable(known)));
    }
    known = name.empty() ? known : name;
    return static_cast<std::int32_t>(*index);
  }

  /// The place of a row's segment among those that the table speaks of, in the order of its rows.
  std::uint32_t segment_of(const std::vector<std::string>& fields) {
    std::uint32_t index = 0;
    in_column(fields, segment, [&](std::string_view text) {
      index = number_of<std::uint32_t>(text, "a segment's index");
    });
    auto& segments = info_.table.stream.segments;
    const auto [found, fresh] =
        places_.try_emplace(index, static_cast<std::uint32_t>(segments.size()));
    if (fresh) {
      if (segments.size() == kMostSegments) {
        throw Error(ErrorCode::unsupported,
                    fmt::format("segment: more than {} segments", kMostSegments));
      }
      segments.push_back({.frames = -1, .start_s = {}, .index = index});
    }
    return found->second;
  }

  SampleRate rate() const {
    if (in_seconds_) {
      return SampleRate(Rational(kMicroseconds));
    }
    if (raw_.rate_hz) {
      return raw_.rate();
    }
    auto found = rate_of(times_, info_.table.stream.segments.size());
    if (!found && longest_.sample > 0) {
      found = rate_of({{}, longest_}, 1);
    }
    if (!found && !rows_.empty()) {
      throw Error(ErrorCode::invalid_spec,
                  "raw.rate_hz: must be given: the table has no two times that tell its rate");
    }
    return found.value_or(SampleRate());
  }

  std::filesystem::path path_;
  InputFile file_;
  CsvRecords records_;
  RawOptions raw_;
  EventStreamInfo info_;
  std::array<std::optional<std::size_t>, kNames.size()> at_;  ///< The field of each column.
  std::size_t width_ = 0;
  bool in_seconds_ = false;  ///< The table has times alone.
  EventList rows_;
  std::vector<CsvTime> times_;
  CsvTime longest_;  ///< The longest event, as the time of its last sample after its first.
  std::map<std::string, std::int64_t> named_;
  std::map<std::uint32_t, std::uint32_t> places_;
};
}  // namespace

std::unique_ptr<EventSource> open_csv_events(const std::filesystem::path& path,
                                             const OpenOptions& options) {
  CsvTable table(path, options);
  table.read(std::numeric_limits<std::int64_t>::max());
  EventStreamInfo info = table.info();
  choose_events({info}, options.stream, path.string());
  return make_stored_events(std::move(info), table.take_rows());
}

std::vector<EventStreamInfo> list_csv_events(const std::filesystem::path& path,
                                             const OpenOptions& options) {
  CsvTable table(path, options);
  const bool more = table.read(kListedBytes);
  EventStreamInfo info = table.info();
  if (!more) {
    return {make_stored_events(std::move(info), table.take_rows())->info()};
  }
  info.table.stream.channels.clear();
  info.table.stream.segments.clear();
  return {std::move(info)};
}

}  // namespace weir::formats
