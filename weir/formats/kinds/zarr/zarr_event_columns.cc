#include "weir/formats/kinds/zarr/zarr_event_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "weir/core/error.h"
#include "weir/formats/kinds/zarr/zarr_array.h"
#include "weir/formats/kinds/zarr/zarr_node.h"
#include "weir/formats/recording_document.h"
#include "weir/formats/stored_samples.h"

namespace weir::formats {
namespace {

constexpr std::int64_t kMostRows = std::int64_t{1} << 28;

template <class Number>
void put(std::vector<std::byte>& column, Number value) {
  const auto* bytes = reinterpret_cast<const std::byte*>(&value);
  column.insert(column.end(), bytes, bytes + sizeof value);
}

template <class Number>
Number value_at(const std::vector<std::byte>& column, std::size_t row) {
  Number value{};
  std::memcpy(&value, column.data() + row * sizeof value, sizeof value);
  return value;
}

/// All values of a one-dimensional array.
std::vector<std::byte> read_column(const ZarrArray& array, const ZarrEventColumn& column) {
  const auto& metadata = array.metadata();
  if (metadata.shape.size() != 1 || metadata.type != column.type || metadata.shape[0] > kMostRows) {
    throw Error(ErrorCode::corrupt_data,
                fmt::format("{}: is no column of up to {} {}", array.folder().string(), kMostRows,
                            name(column.type)));
  }
  if (array.missing_files() > 0) {
    throw Error(ErrorCode::corrupt_data,
                fmt::format("{}: chunks are missing", array.folder().string()));
  }
  return array.read_rows(kMostRows * stored_bytes(column.type));
}

EventRow row_at(const ZarrEventBytes& columns, std::size_t row,
                const std::vector<std::string>& names) {
  EventRow result;
  result.channel = value_at<std::int32_t>(columns[0], row);
  if (result.channel < 0 || result.channel >= std::ssize(names)) {
    throw Error(ErrorCode::corrupt_data, fmt::format("channel: row {} names channel {} of {}", row,
                                                     result.channel, names.size()));
  }
  result.channel_name = names[static_cast<std::size_t>(result.channel)];
  result.onset_sample = value_at<std::uint64_t>(columns[1], row);
  if (const auto offset = value_at<std::int64_t>(columns[2], row); offset >= 0) {
    result.offset_sample = static_cast<std::uint64_t>(offset);
  }
  result.peak_sample = value_at<std::uint64_t>(columns[3], row);
  result.peak_value = value_at<float>(columns[4], row);
  result.segment = columns[5].empty() ? 0 : value_at<std::uint32_t>(columns[5], row);
  result.polarity = columns[6].empty() ? std::int8_t{0} : value_at<std::int8_t>(columns[6], row);
  return result;
}
}  // namespace

void append_row(ZarrEventBytes& columns, const EventRow& row) {
  put(columns[0], row.channel);
  put(columns[1], row.onset_sample);
  put(columns[2],
      row.offset_sample ? static_cast<std::int64_t>(*row.offset_sample) : std::int64_t{-1});
  put(columns[3], row.peak_sample);
  put(columns[4], row.peak_value);
  put(columns[5], row.segment);
  put(columns[6], row.polarity);
}

ZarrArrayMetadata event_array(std::size_t index, std::int64_t rows) {
  ZarrArrayMetadata metadata;
  metadata.shape = {rows};
  metadata.chunk = {kZarrEventChunkRows};
  metadata.shard = {kZarrEventChunkRows};
  metadata.type = kZarrEventColumns[index].type;
  metadata.fill = 0;
  metadata.codecs = named_codecs("blosc-zstd-shuffle", 5, stored_bytes(metadata.type));
  metadata.dimension_names = {"events"};
  return metadata;
}

ZarrEvents read_zarr_events(const std::filesystem::path& group) {
  const ZarrNode node = read_zarr_node(group);
  const std::string file = node.file.string();
  const Value& attributes = node.attributes;
  const bool ours = attributes.find("weir_events") != nullptr;
  check_version(attributes, ours ? "weir_events" : "dspk_events", file);
  ZarrEvents events;
  reading_document(file, [&] {
    events.sample_rate_hz =
        in_context("sample_rate_hz", [&] { return attributes.at("sample_rate_hz").as_number(); });
    for (const auto& name : attributes.at("channel_names").as_array()) {
      events.channel_names.push_back(name.as_string());
    }
  });
  ZarrEventBytes columns;
  for (std::size_t i = 0; i < columns.size() && (ours || i < 5); ++i) {
    columns[i] = read_column(ZarrArray(group / kZarrEventColumns[i].name), kZarrEventColumns[i]);
  }
  const std::size_t rows = columns[0].size() / sizeof(std::int32_t);
  for (std::size_t i = 0; i < columns.size() && (ours || i < 5); ++i) {
    if (columns[i].size() != rows * stored_bytes(kZarrEventColumns[i].type)) {
      throw Error(ErrorCode::corrupt_data,
                  fmt::format("{}: {} has not {} rows, as channel has", group.string(),
                              kZarrEventColumns[i].name, rows));
    }
  }
  in_context(group.string(), [&] {
    for (std::size_t row = 0; row < rows; ++row) {
      events.rows.push_back(row_at(columns, row, events.channel_names));
    }
  });
  return events;
}

}  // namespace weir::formats
