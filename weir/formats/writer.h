#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "weir/core/block.h"
#include "weir/core/event.h"
#include "weir/core/stream.h"
#include "weir/formats/event_table.h"

namespace weir::formats {

/// A text that stands at a time of a recording.
struct Annotation {
  Rational onset_s;  ///< On the recording's clock.
  std::optional<Rational> duration_s;
  std::string text;
};

/// A recording to be written.
struct RecordingOutput {
  std::filesystem::path path;
  /// What will be appended. `stream.type` is float32 (physical values: gain 1, offset 0), int16 or
  /// int32 (counts).
  StreamInfo stream;
  int count_bits = 0;  ///< How many bits int32 counts need at most: 24, or 0 for all.
  std::string start_time;
  /// In the order of their onsets. Only for formats that hold them: `Format::holds_annotations`.
  std::vector<Annotation> annotations;
  bool overwrite = false;
  double zarr_chunk_s = 0.1;
  double zarr_shard_s = 1;
  std::string codec = "blosc-zstd-bitshuffle";
  int level = 5;
  /// Continue the partial file a killed run left, from `saved` (what `save` returned); empty to
  /// start anew.
  std::vector<std::byte> resume_from;
};

struct EventOutput {
  std::filesystem::path path;
  EventTableInfo table;
  bool overwrite = false;
  std::vector<std::byte> resume_from;
};

/// Common to both writers: nothing stands at `path` before `commit`.
/// Everything is written to `partial_path(path)`; an unfinished writer that dies removes it, unless
/// `keep_partial`.
class Writer {
 public:
  virtual ~Writer() = default;
  /// Bytes of everything appended so far that are safe in the partial file, with what is needed to
  /// go on from here. Errors: `io`.
  virtual std::vector<std::byte> save() = 0;
  /// Leave the partial file when this dies without `commit`: a resumed run will continue it.
  virtual void keep_partial() noexcept = 0;
  /// Finish: sidecar, then `provenance` beside the output, then the data by rename.
  /// Errors: `io`; `output_exists` when something appeared at `path` meanwhile.
  virtual void commit(const std::string& provenance) = 0;
  virtual std::int64_t bytes_written() const noexcept = 0;
};

/// Threads: `append` is called from one thread at a time.
class RecordingWriter : public Writer {
 public:
  /// Rows of the current segment, in order.
  /// Errors: `io` naming the path: disk full, write failed.
  virtual void append(AnyBlock rows) = 0;
  /// The current segment is complete; the next `append` starts another.
  virtual void end_segment() = 0;
};

class EventWriter : public Writer {
 public:
  /// Rows in their final order.
  virtual void append(const EventList& events) = 0;
  /// There are no more rows: what a writer still holds goes to the partial file, so that
  /// `bytes_written` is of all of them. Only `save` and `commit` may follow. Errors: `io`.
  virtual void finish() {}
};

/// `<path>.weir-partial`. What lies inside a store (`rec.zarr/events/name`) is an output of its own
/// whose partial must not be part of the store, as that may itself be replaced by rename: it is
/// `rec.zarr.weir-partial-events.name`, and is committed after the store.
std::filesystem::path partial_path(const std::filesystem::path& path);
std::filesystem::path provenance_path(const std::filesystem::path& path);

/// Refuses an existing output. Errors: `output_exists` naming the path and `--overwrite`;
/// `not_found` when the folder is missing; `io` when it cannot be written.
void check_output(const std::filesystem::path& path, bool overwrite);

/// The last steps of every commit: write `sidecar` (empty for none) and provenance, then rename the
/// partial file or folder to `path`, replacing what stands there only when `overwrite`.
void commit_partial(const std::filesystem::path& path, const std::filesystem::path& sidecar_path,
                    const std::string& sidecar, const std::string& provenance, bool overwrite);

}  // namespace weir::formats
