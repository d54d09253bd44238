#include "weir/formats/table_event_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/event_columns.h"
#include "weir/formats/json.h"
#include "weir/formats/raw_options.h"
#include "weir/formats/recording_document.h"
#include "weir/formats/stored_events.h"
#include "weir/formats/tables/column_numbers.h"
#include "weir/formats/tables/file_bytes.h"

namespace weir::formats {
namespace {
namespace fs = std::filesystem;
constexpr std::int64_t kMostBytes = std::int64_t{256} << 20;
constexpr std::size_t kMostSegments = 65536;
constexpr double kNanosecond = 1e-9;

/// The columns of the spec that a file has.
enum Wanted : std::size_t {
  channel,
  channel_name,
  onset_sample,
  offset_sample,
  peak_sample,
  peak_value,
  onset_s,
  segment,
  polarity,
  kWantedCount
};
constexpr std::array<std::string_view, kWantedCount> kWantedNames{
    "channel",    "channel_name", "onset_sample", "offset_sample", "peak_sample",
    "peak_value", "onset_s",      "segment",      "polarity"};

/// A table file as a stream of events.
class EventTable {
 public:
  EventTable(const fs::path& path, TableFile kind, const OpenOptions& options)
      : path_(path), bytes_(path), reader_(reading_table(path, [&] {
          return table_library().reader(kind, bytes_, kMostBytes);
        })) {
    info_.name = path.stem().string();
    info_.format = kind == TableFile::parquet ? "parquet" : "arrow";
    info_.kind = EventKind::table;
    find_columns();
    reading_document(path.string(), [&] { read_metadata(options); });
    std::int64_t rows = 0;
    for (std::int64_t group = 0; group < reader_->group_count(); ++group) {
      const std::int64_t more = reading_table(path_, [&] { return reader_->group_rows(group); });
      if (more < 0 || more > kMostHeldEvents - rows) {
        throw Error(ErrorCode::unsupported,
                    fmt::format("{}: more than {} rows", path.string(), grouped(kMostHeldEvents)));
      }
      rows += more;
    }
    info_.count = rows;
  }

  EventStreamInfo info() const { return info_; }

  std::unique_ptr<EventSource> with_rows() {
    std::vector<std::int64_t> columns;
    for (const auto& place : at_) {
      if (place) {
        columns.push_back(*place);
      }
    }
    reading_table(path_, [&] {
      for (std::int64_t group = 0; group < reader_->group_count(); ++group) {
        reader_->read(group, columns, [&](const ColumnBatch& batch) { take(batch); });
      }
    });
    return make_stored_events(std::move(info_), std::move(events_));
  }

 private:
  void find_columns() {
    const auto& columns = reader_->schema().columns;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const auto* found = std::find(kWantedNames.begin(), kWantedNames.end(), columns[i].name);
      if (found != kWantedNames.end()) {
        const auto which = static_cast<std::size_t>(found - kWantedNames.begin());
        if ((columns[i].type == ColumnType::text) != (which == channel_name)) {
          throw Error(ErrorCode::corrupt_data,
                      fmt::format("{}: column {} holds {}", path_.string(), *found,
                                  which == channel_name ? "numbers, not text" : "text"));
        }
        at_[which] = static_cast<std::int64_t>(i);
      } else if (columns[i].name != "offset_s" && columns[i].name != "duration_s") {
        info_.warnings.push_back(fmt::format("{}: column \"{}\" is not kept", path_.string(),
                                             printable(columns[i].name)));
      }
    }
    for (const auto& column : reader_->left_out()) {
      info_.warnings.push_back(fmt::format("{}: column {} ({}) is not kept", path_.string(),
                                           printable(column.name), printable(column.type)));
    }
    if (!at_[onset_sample] || (!at_[channel] && !at_[channel_name])) {
      throw Error(ErrorCode::unsupported,
                  fmt::format("{}: is no event table: it lacks the columns onset_sample and "
                              "channel or channel_name",
                              path_.string()));
    }
  }

  std::optional<Value> metadata(std::string_view key) const {
    for (const auto& [name, text] : reader_->schema().metadata) {
      if (name == key) {
        return in_context(key, [&] { return parse_json(text); });
      }
    }
    return std::nullopt;
  }

  void read_metadata(const OpenOptions& options) {
    Value document = Value::object();
    for (const std::string_view key :
         {"weir_events", "rate", "sample_rate_hz", "channel_names", "channel_units", "segments"}) {
      if (auto value = metadata(key)) {
        document.set(key, std::move(*value));
      }
    }
    if (document.find("weir_events") != nullptr) {
      check_version(document, "weir_events", path_.string());
    }
    auto& stream = info_.table.stream;
    if (const Value* rate = document.find("rate")) {
      stream.rate = in_context("rate", [&] {
        const auto& ratio = rate->as_array();
        if (ratio.size() != 2) {
          throw Error(ErrorCode::corrupt_data, "is no pair of numbers");
        }
        return SampleRate(Rational(ratio[0].as_integer(), ratio[1].as_integer()));
      });
    } else if (const Value* hz = document.find("sample_rate_hz")) {
      stream.rate =
          in_context("sample_rate_hz", [&] { return SampleRate::from_hz(hz->as_number()); });
    } else if (const auto raw = RawOptions::from(options.raw); raw.rate_hz) {
      stream.rate = SampleRate::from_hz(*raw.rate_hz);
    } else {
      throw Error(ErrorCode::unsupported, "its metadata tells no sample rate: set raw.rate_hz");
    }
    read_channels(document);
    if (const Value* segments = document.find("segments")) {
      stream.segments = in_context("segments", [&] { return event_segments(*segments); });
    }
    segments_are_told_ = !stream.segments.empty();
    for (std::size_t i = 0; i < stream.segments.size(); ++i) {
      places_.emplace(stream.segments[i].index, static_cast<std::uint32_t>(i));
    }
  }

  void read_channels(const Value& document) {
    auto& channels = info_.table.stream.channels;
    const Value* names = document.find("channel_names");
    if (names == nullptr) {
      return;
    }
    in_context("channel_names", [&] {
      if (std::ssize(names->as_array()) > kMostLabels) {
        throw Error(ErrorCode::unsupported, fmt::format("{} names, at most {} are held",
                                                        names->as_array().size(), kMostLabels));
      }
      channels = make_channels(std::ssize(names->as_array()));
      for (std::size_t i = 0; i < channels.size(); ++i) {
        channels[i].name = names->as_array()[i].as_string();
        labels_.emplace(channels[i].name, static_cast<std::int32_t>(i));
      }
    });
    const Value* units = document.find("channel_units");
    if (units != nullptr && units->is_array() && units->as_array().size() == channels.size()) {
      for (std::size_t i = 0; i < channels.size(); ++i) {
        channels[i].unit =
            in_context("channel_units", [&] { return units->as_array()[i].as_string(); });
      }
    }
  }

  void take(const ColumnBatch& batch) {
    for (std::int64_t row = 0; row < batch.rows; ++row) {
      if (std::ssize(events_) == kMostHeldEvents) {
        throw Error(ErrorCode::unsupported,
                    fmt::format("{}: more than {} rows", path_.string(), grouped(kMostHeldEvents)));
      }
      in_context(fmt::format("{}: row {}", path_.string(), events_.size()),
                 [&] { take_row(batch, static_cast<std::size_t>(row)); });
    }
  }

  const ColumnValues* values(const ColumnBatch& batch, Wanted which) const {
    if (!at_[which]) {
      return nullptr;
    }
    const auto place = std::count_if(at_.begin(), at_.begin() + which,
                                     [](const auto& at) { return at.has_value(); });
    return &batch.columns[static_cast<std::size_t>(place)];
  }

  ColumnType type(Wanted which) const {
    return reader_->schema().columns[static_cast<std::size_t>(*at_[which])].type;
  }

  std::optional<std::int64_t> whole(const ColumnBatch& batch, Wanted which, std::size_t row) const {
    const ColumnValues* column = values(batch, which);
    return column == nullptr ? std::nullopt : in_context(kWantedNames[which], [&] {
      return whole_at(*column, type(which), row);
    });
  }

  static std::int64_t at_least(std::int64_t least, std::string_view what,
                               std::optional<std::int64_t> value, std::int64_t most) {
    if (!value || *value < least || *value > most) {
      throw Error(ErrorCode::corrupt_data,
                  value ? fmt::format("{}: {} is not between {} and {}", what, *value, least, most)
                        : fmt::format("{}: is null", what));
    }
    return *value;
  }

  void take_row(const ColumnBatch& batch, std::size_t row) {
    constexpr std::int64_t kMost = std::int64_t{1} << 62;
    EventRow read;
    read.onset_sample = static_cast<std::uint64_t>(
        at_least(0, "onset_sample", whole(batch, onset_sample, row), kMost));
    if (const auto offset = whole(batch, offset_sample, row); offset && *offset != Event::kOpen) {
      read.offset_sample = static_cast<std::uint64_t>(at_least(0, "offset_sample", offset, kMost));
    }
    const auto peak = at_[peak_sample] ? whole(batch, peak_sample, row)
                                       : static_cast<std::int64_t>(read.onset_sample);
    read.peak_sample = static_cast<std::uint64_t>(at_least(0, "peak_sample", peak, kMost));
    if (const ColumnValues* column = values(batch, peak_value)) {
      read.peak_value = static_cast<float>(number_at(*column, type(peak_value), row));
    }
    read.polarity = static_cast<std::int8_t>(
        at_least(-128, "polarity", at_[polarity] ? whole(batch, polarity, row) : 0, 127));
    read.channel = channel_of(batch, row);
    const std::int64_t index = at_least(0, "segment", at_[segment] ? whole(batch, segment, row) : 0,
                                        std::numeric_limits<std::uint32_t>::max());
    events_.push_back(from_row(read, place_of(index, batch, row, read), info_.table));
  }

  std::int32_t channel_of(const ColumnBatch& batch, std::size_t row) {
    auto& channels = info_.table.stream.channels;
    if (!at_[channel]) {
      const std::string label = text_of(*values(batch, channel_name), row);
      const auto [found, fresh] =
          labels_.try_emplace(label, static_cast<std::int32_t>(channels.size()));
      if (fresh) {
        add_channel(label);
      }
      return found->second;
    }
    const auto index = static_cast<std::int32_t>(
        at_least(0, "channel", whole(batch, channel, row), kMostLabels - 1));
    if (labels_.empty()) {  // The file names no channels beyond what its rows do.
      while (std::ssize(channels) <= index) {
        add_channel(fmt::format("ch{}", channels.size()));
      }
      if (const ColumnValues* names = values(batch, channel_name)) {
        channels[static_cast<std::size_t>(index)].name = text_of(*names, row);
      }
    }
    return index;
  }

  void add_channel(const std::string& label) {
    auto& channels = info_.table.stream.channels;
    if (std::ssize(channels) == kMostLabels) {
      throw Error(ErrorCode::unsupported,
                  fmt::format("more than {} different channels", grouped(kMostLabels)));
    }
    Channel channel;
    channel.name = label;
    channel.source_index = std::ssize(channels);
    channels.push_back(std::move(channel));
  }

  /// The place of a segment, which the file's first row of it makes when the metadata tells none.
  std::uint32_t place_of(std::int64_t index, const ColumnBatch& batch, std::size_t row,
                         const EventRow& read) {
    auto& stream = info_.table.stream;
    const auto [found, fresh] =
        places_.try_emplace(index, static_cast<std::uint32_t>(stream.segments.size()));
    if (fresh && (segments_are_told_ || stream.segments.size() == kMostSegments)) {
      throw Error(ErrorCode::corrupt_data,
                  fmt::format("segment: {} is none of {}", index, stream.segments.size()));
    }
    if (fresh) {
      Segment added{.frames = -1, .start_s = {}, .index = index};
      if (const ColumnValues* seconds = values(batch, onset_s)) {
        const double start = number_at(*seconds, type(onset_s), row) -
                             stream.rate.seconds(static_cast<std::int64_t>(read.onset_sample));
        if (std::abs(start) < 1e9) {
          added.start_s = Rational(std::llround(start / kNanosecond), 1'000'000'000);
        }
      }
      stream.segments.push_back(added);
    }
    return found->second;
  }

  fs::path path_;
  FileBytes bytes_;
  std::unique_ptr<TableReader> reader_;
  EventStreamInfo info_;
  std::array<std::optional<std::int64_t>, kWantedCount> at_;  ///< Where each column stands.
  std::map<std::string, std::int32_t> labels_;
  std::map<std::int64_t, std::uint32_t> places_;  ///< Of a stored segment among the segments.
  bool segments_are_told_ = false;
  EventList events_;
};
}  // namespace

std::vector<EventStreamInfo> list_table_events(const fs::path& path, TableFile kind,
                                               const OpenOptions& options) {
  return {EventTable(path, kind, options).info()};
}

std::unique_ptr<EventSource> open_table_events(const fs::path& path, TableFile kind,
                                               const OpenOptions& options) {
  EventTable table(path, kind, options);
  choose_events({table.info()}, options.stream, path.string());
  return table.with_rows();
}

}  // namespace weir::formats
