#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weir/core/recording.h"
#include "weir/core/value.h"
#include "weir/formats/event_source.h"
#include "weir/formats/event_table.h"
#include "weir/formats/table_source.h"
#include "weir/formats/writer.h"

namespace weir::formats {

/// How sure a format is that a path is its own, from the name and the first bytes alone.
enum class Match { no, by_content, by_name, certain };

/// What a reader may be told beyond the path.
struct OpenOptions {
  std::string stream;  ///< A source inside the file; empty for the largest electrical one. For
                       ///< events: the event stream; empty for the only one.
  /// For raw and npy files without a sidecar: channels, rate_hz, dtype, order, gain, offset, unit,
  /// header_bytes.
  Value raw;
};

/// One file format. Made once per folder `kinds/<name>/`, listed by the catalogue.
/// A null function means the format cannot do that.
struct Format {
  std::string_view name;
  std::string_view summary;
  std::vector<std::string_view> extensions;  ///< ".zarr", …: what `write` picks it by.

  /// Shape:  `head` is the first bytes of a file, at most 4096; empty for folders.
  Match (*probe)(const std::filesystem::path& path, std::span<const std::byte> head) = nullptr;
  /// Errors: `not_found`, `corrupt_data`, `unsupported`, `invalid_spec` (raw options), naming the
  /// file.
  std::unique_ptr<RecordingSource> (*open)(const std::filesystem::path& path,
                                           const OpenOptions& options) = nullptr;
  std::unique_ptr<RecordingWriter> (*create)(const RecordingOutput& output) = nullptr;
  std::unique_ptr<EventWriter> (*create_events)(const EventOutput& output) = nullptr;
  /// Whether `create` writes `RecordingOutput::annotations` into the file.
  bool holds_annotations = false;
  /// What of a recording this format and its sidecar cannot hold, a phrase each; null for nothing.
  std::vector<std::string> (*not_kept)(const RecordingOutput& output) = nullptr;
  /// Bytes `create` will hold for this output; claimed in planning.
  std::size_t (*writer_bytes)(const RecordingOutput& output) = nullptr;

  /// The event streams that `path` brings, in an order of its own; none is no error.
  /// Cost: what `weir info` may take of a file of any size; what that does not tell is left open.
  /// Errors: as `open`.
  std::vector<EventStreamInfo> (*list_events)(const std::filesystem::path& path,
                                              const OpenOptions& options) = nullptr;
  /// Opens one by `options.stream`. Errors: as `open`; `not_found` and `invalid_spec` as
  /// `choose_events`.
  std::unique_ptr<EventSource> (*open_events)(const std::filesystem::path& path,
                                              const OpenOptions& options) = nullptr;
  /// The tables of numbers in a file, one of which `open_table` opens by `options.stream` (which
  /// may be empty when there is only one). Errors: as `open`; `open_table` as `choose_table`.
  std::vector<TableInfo> (*list_tables)(const std::filesystem::path& path,
                                        const OpenOptions& options) = nullptr;
  std::unique_ptr<TableSource> (*open_table)(const std::filesystem::path& path,
                                             const OpenOptions& options) = nullptr;
  /// As `writer_bytes`, of `create_events`; null where that is within the megabyte that planning
  /// counts for any table.
  std::size_t (*event_writer_bytes)(const EventOutput& output) = nullptr;
};

}  // namespace weir::formats
