#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "weir/core/value.h"
#include "weir/formats/format_list.h"

namespace weir::cli {

/// What a path brings: its recording, its events, or both.
struct OpenedPath {
  std::unique_ptr<RecordingSource> recording;  ///< Null for a table.
  std::vector<formats::EventStreamInfo> events;
  std::vector<formats::TableInfo> tables;  ///< Of numbers; where there is nothing else.
  std::string events_failure;  ///< Why the events of a recording cannot be told; empty for nothing.
};

/// Opens the recording and lists the events, or the tables where there are neither. What is wrong
/// with the events of a recording that opens is told, not thrown. Errors: as `FormatList::open`, or
/// those of the events where the format reads no recordings.
OpenedPath open_path(const formats::FormatList& formats, const std::filesystem::path& path,
                     const formats::OpenOptions& options, const std::string& format_name);

/// Whether a stream is edges of words that are channels of the recording itself.
bool are_lines_of_channels(const formats::EventStreamInfo& info) noexcept;

/// One event stream on its way to a file.
struct EventCopy {
  std::string stream;
  std::filesystem::path path;
  std::int64_t rows = 0;  ///< Once it is written.
};

/// Where the event streams of a recording that becomes `out` go: into the group `events` of a Zarr
/// store, beside any other file as `<out>.<stream>.csv`. Edges of words that are channels of the
/// recording make no table, nor does a stream without an event.
std::vector<EventCopy> plan_event_copies(const std::vector<formats::EventStreamInfo>& streams,
                                         const std::filesystem::path& out);

/// The streams that go into the file itself: texts and edges, where `format` holds annotations and
/// they are not too many for it. Taken out of `streams`. Errors: as `open_events`.
std::vector<formats::EventStreamInfo> take_annotations(
    const formats::FormatList& formats, const std::filesystem::path& from,
    const formats::OpenOptions& options, const formats::Format& format,
    std::vector<formats::EventStreamInfo>& streams);

/// Copies a stream of `from` to `copy.path` piece by piece. Errors: as `open_events` and those of
/// writers.
void copy_events(const formats::FormatList& formats, const std::filesystem::path& from,
                 const formats::OpenOptions& options, bool overwrite, EventCopy& copy);

}  // namespace weir::cli
