#include "weir/formats/event_columns.h"

#include <fmt/format.h>

#include <optional>
#include <span>

#include "weir/core/error.h"
#include "weir/core/value.h"

namespace weir::formats {
namespace {
template <class Number>
void put(ColumnValues& column, Number value) {
  const auto* bytes = reinterpret_cast<const std::byte*>(&value);
  column.values.insert(column.values.end(), bytes, bytes + sizeof value);
}

template <class Number>
void put(ColumnValues& column, const std::optional<Number>& value) {
  put(column, value.value_or(Number{}));
  column.present.push_back(value ? 1 : 0);
}

void put(ColumnValues& column, const std::string& text) {
  const auto bytes = std::as_bytes(std::span(text));
  column.values.insert(column.values.end(), bytes.begin(), bytes.end());
  column.ends.push_back(static_cast<std::int32_t>(column.values.size()));
}

/// As the Zarr event groups tell them.
Value segments_value(const std::vector<Segment>& segments) {
  Value list = Value::array();
  for (const auto& segment : segments) {
    Value item = Value::object();
    item.set("index", segment.index);
    item.set("start_s",
             Value(Value::Array{segment.start_s.numerator(), segment.start_s.denominator()}));
    item.set("samples", segment.frames);
    item.set("first_sample", segment.first_frame);
    list.push_back(std::move(item));
  }
  return list;
}
}  // namespace

TableSchema event_schema(const EventTableInfo& table) {
  TableSchema schema;
  schema.columns = {
      {"channel", ColumnType::int32, false},       {"channel_name", ColumnType::text, false},
      {"onset_sample", ColumnType::uint64, false}, {"offset_sample", ColumnType::uint64, true},
      {"peak_sample", ColumnType::uint64, false},  {"peak_value", ColumnType::float32, false},
      {"onset_s", ColumnType::float64, false},     {"offset_s", ColumnType::float64, true},
      {"duration_s", ColumnType::float64, true},   {"segment", ColumnType::uint32, false},
      {"polarity", ColumnType::int8, false}};
  Value names = Value::array();
  Value units = Value::array();
  for (const auto& channel : table.stream.channels) {
    names.push_back(channel.name);
    units.push_back(channel.unit);
  }
  const Rational& rate = table.stream.rate.exact();
  schema.metadata = {{"weir_events", "1"},
                     {"rate", to_json(Value::Array{rate.numerator(), rate.denominator()})},
                     {"sample_rate_hz", to_json(table.stream.rate.hz())},
                     {"channel_names", to_json(names)},
                     {"channel_units", to_json(units)},
                     {"segments", to_json(segments_value(table.stream.segments))}};
  return schema;
}

std::vector<Segment> event_segments(const Value& value) {
  std::vector<Segment> segments;
  for (const auto& item : value.as_array()) {
    in_context(fmt::format("[{}]", segments.size()), [&] {
      Segment segment;
      segment.index = item.at("index").as_integer();
      segment.frames = item.at("samples").as_integer();
      segment.first_frame = item.at("first_sample").as_integer();
      const auto& start = item.at("start_s").as_array();
      if (start.size() != 2 || segment.index < 0 || segment.frames < 0 || segment.first_frame < 0) {
        throw Error(ErrorCode::corrupt_data,
                    fmt::format("index {}, samples {}, first_sample {}, start_s of {} numbers",
                                segment.index, segment.frames, segment.first_frame, start.size()));
      }
      segment.start_s = Rational(start[0].as_integer(), start[1].as_integer());
      segments.push_back(segment);
    });
  }
  return segments;
}

EventColumns::EventColumns(const TableSchema& schema) {
  batch_.columns.resize(schema.columns.size());
}

void EventColumns::append(const EventRow& row) {
  WEIR_CHECK(batch_.columns.size() == 11);
  auto column = batch_.columns.begin();
  put(*column++, row.channel);
  put(*column++, row.channel_name);
  put(*column++, row.onset_sample);
  put(*column++, row.offset_sample);
  put(*column++, row.peak_sample);
  put(*column++, row.peak_value);
  put(*column++, row.onset_s);
  put(*column++, row.offset_s);
  put(*column++, row.duration_s);
  put(*column++, row.segment);
  put(*column++, row.polarity);
  ++batch_.rows;
}

void EventColumns::clear() {
  batch_.rows = 0;
  for (auto& column : batch_.columns) {
    column.values.clear();
    column.ends.clear();
    column.present.clear();
  }
}

}  // namespace weir::formats
