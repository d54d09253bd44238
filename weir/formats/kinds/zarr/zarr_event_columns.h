#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "weir/core/recording.h"
#include "weir/formats/event_table.h"
#include "weir/formats/kinds/zarr/zarr_array_metadata.h"

namespace weir::formats {

/// One array of an event group.
struct ZarrEventColumn {
  std::string_view name;
  StoredType type;
};

inline constexpr std::array<ZarrEventColumn, 7> kZarrEventColumns{
    {{"channel", StoredType::int32},
     {"onset_sample", StoredType::uint64},
     {"offset_sample", StoredType::int64},  // -1 for an open event.
     {"peak_sample", StoredType::uint64},
     {"peak_value", StoredType::float32},
     {"segment", StoredType::uint32},
     {"polarity", StoredType::int8}}};

inline constexpr std::int64_t kZarrEventChunkRows = 65536;

/// Little-endian values of each column.
using ZarrEventBytes = std::array<std::vector<std::byte>, kZarrEventColumns.size()>;

void append_row(ZarrEventBytes& columns, const EventRow& row);

/// The array of column `index` with `rows` rows.
ZarrArrayMetadata event_array(std::size_t index, std::int64_t rows);

/// What an event group holds. Rows have no times in seconds: the group knows its rate, not where
/// the segments start.
struct ZarrEvents {
  double sample_rate_hz = 0;
  std::vector<std::string> channel_names;
  std::vector<EventRow> rows;
};

/// Reads a group `weir_events = 1` or `dspk_events = 1` (which lacks segment and polarity).
/// Errors: `not_found`, `corrupt_data`, `unsupported` naming the file.
ZarrEvents read_zarr_events(const std::filesystem::path& group);

}  // namespace weir::formats
