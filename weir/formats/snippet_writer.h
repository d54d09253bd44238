#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "weir/formats/writer.h"

namespace weir::formats {

/// Snippets to be written: stretches of one length, each with its event.
struct SnippetOutput {
  std::filesystem::path path;
  StreamInfo stream;  ///< Rate and channels of a snippet; float32 (gain 1, offset 0) or int16.
  std::int64_t frames = 0;         ///< Of a snippet.
  std::int64_t before_frames = 0;  ///< Of those, before the event.
  EventTableInfo table;            ///< Of the events.
  bool overwrite = false;
  std::vector<std::byte> resume_from;
};

/// An array in NumPy's format, [snippets, frames, channels], little-endian, with the sidecar
/// `<path>.json` and the table of the events in `<path>.csv`, whose rows are in the same order.
class SnippetWriter : public Writer {
 public:
  /// Shape: `rows` is [frames, channels] of the output's type. Errors: `io`.
  virtual void append(const Event& event, AnyBlock rows) = 0;
};

/// Errors: `output_exists` for any of the files; `io`.
std::unique_ptr<SnippetWriter> make_snippet_writer(const SnippetOutput& output);
/// `<path>.csv`.
std::filesystem::path snippet_table_path(const std::filesystem::path& path);
std::size_t snippet_writer_bytes() noexcept;

}  // namespace weir::formats
