#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "weir/core/buffer.h"
#include "weir/formats/format.h"

namespace weir::testing {

/// A folder of its own that goes, with all it holds, when the test ends.
class ScratchFolder {
 public:
  ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder();
  const std::filesystem::path& path() const noexcept { return path_; }
  std::filesystem::path operator/(const std::filesystem::path& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

void write_bytes(const std::filesystem::path& path, std::span<const std::byte> bytes);
void write_string(const std::filesystem::path& path, const std::string& text);
std::string read_string(const std::filesystem::path& path);
/// Every file below `folder` by its relative path, with its content.
std::vector<std::pair<std::string, std::string>> folder_content(
    const std::filesystem::path& folder);

/// All frames and channels of a segment in one read.
std::vector<float> read_all(const RecordingSource& source, std::int64_t segment = 0);

/// The promises of a reader: the whole equals random pieces, single frames, channel subsets in any
/// order and padded blocks, also through `read_stored` and from several threads at once. Values of
/// `source` are finite. Fails the running test otherwise.
void check_source(const RecordingSource& source);

/// Bytes nobody vouches for, in `path`: opens it and reads what it claims to hold (at most a few
/// thousand frames). Only `Error` may escape, and not `internal`; this swallows it.
void try_source(const formats::Format& format, const std::filesystem::path& path,
                const formats::OpenOptions& options = {});

/// The promises of a source of events: its rows are in order, inside their segments and channels,
/// as many as it counts, and any piece of them equals the same part of the whole, also from several
/// threads at once. Fails the running test otherwise.
void check_event_source(const formats::EventSource& source);
/// What is wrong with it, for suites of broken fakes; empty for nothing.
std::string find_broken_events(const formats::EventSource& source);
/// All rows. Reads in pieces, so that no count is needed.
EventList read_all_events(const formats::EventSource& source);
/// As `try_source`, for every event stream that the format lists for `path`.
void try_events(const formats::Format& format, const std::filesystem::path& path,
                const formats::OpenOptions& options = {});

/// The parts of a fuzzed input, which are separated by a zero byte: `count` of them, the last with
/// all that remains.
std::vector<std::span<const std::byte>> parts_of(std::span<const std::byte> input,
                                                 std::size_t count);

/// What a writer is asked for: two segments with awkward names, gains, positions and groups, an
/// inexact rate and start times that are no decimal numbers.
formats::RecordingOutput awkward_output(const std::filesystem::path& path, SampleType type,
                                        std::int64_t channels);
/// Every frame the output promises, sample (segment, f, c) by a formula; appended in pieces of
/// `piece` frames (0: whole segments), from blocks with or without padding.
void append_samples(formats::RecordingWriter& writer, const formats::RecordingOutput& output,
                    std::int64_t piece, bool padded, std::int64_t segment, std::int64_t first,
                    std::int64_t stop);

/// Write, then read is the identity for every field and sample; bytes do not depend on pieces;
/// nothing stands at the path before `commit`; a killed writer resumed from every save point ends
/// with the same bytes; an existing output is refused, replaced with `overwrite`; a writer that
/// dies leaves nothing, unless told to keep its partial.
void check_writer(const formats::Format& format, const std::string& extension);

}  // namespace weir::testing
