#pragma once

#include <memory>

#include "weir/formats/tables/table_file.h"
#include "weir/formats/writer.h"

namespace weir::formats {

/// Rows of a group of an event table; the last has what remains.
inline constexpr std::int64_t kEventGroupRows = 1 << 16;

/// A writer of an event table as Parquet or Arrow IPC.
/// Errors: `unsupported` where the library weir_arrow is not there.
std::unique_ptr<EventWriter> make_table_event_writer(const EventOutput& output, TableFile kind);

/// What it holds at most: rows on their way to a group and the group's bytes.
/// Errors: as `make_table_event_writer`, so that planning tells.
std::size_t table_event_writer_bytes(const EventOutput& output);

}  // namespace weir::formats
