#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/core/recording.h"
#include "weir/core/stream.h"
#include "weir/core/value.h"

namespace weir::formats {

/// What a recording's own document says: the raw sidecar and the attributes of a Zarr store.
struct RecordingDocument {
  SampleRate rate;
  std::vector<Channel> channels;
  std::vector<Segment> segments;
  std::string start_time;
  Axis axis = Axis::time_s;
  StoredType stored = StoredType::int16;
  SampleOrder order = SampleOrder::time_major;
};

/// The document of what was written: `frames[i]` frames of `stream.segments[i]`.
/// `version_key` ("weir_raw", "weir_recording") becomes its first member: 1, or 2 where rows do not
/// run along time, so that a program that knows of time alone refuses it.
Value to_document(std::string_view version_key, const StreamInfo& stream,
                  const std::vector<std::int64_t>& frames, const std::string& start_time);

/// Errors: `corrupt_data` "file: field: what is wrong"; `unsupported` for a newer version.
RecordingDocument from_document(const Value& document, std::string_view version_key,
                                std::string_view file);

/// Refuses a document that a newer program wrote, naming key and versions; `newest` is the last
/// version that is read. Errors: `unsupported`, `corrupt_data`.
void check_version(const Value& document, std::string_view key, std::string_view file,
                   std::int64_t newest = 1);

/// Runs `body`; what it finds wrong with a document's fields is damage of `file`: `invalid_spec`
/// becomes `corrupt_data` naming it.
template <class Body>
decltype(auto) reading_document(std::string_view file, Body&& body);

}  // namespace weir::formats

#include "weir/core/error.h"

template <class Body>
decltype(auto) weir::formats::reading_document(std::string_view file, Body&& body) {
  try {
    return std::forward<Body>(body)();
  } catch (const Error& error) {
    const ErrorCode code =
        error.code() == ErrorCode::invalid_spec ? ErrorCode::corrupt_data : error.code();
    throw Error(code, std::string(file) + ": " + error.text());
  }
}
