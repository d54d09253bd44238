#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weir/core/recording.h"
#include "weir/formats/format_list.h"
#include "weir/op/schema.h"

namespace weir::pipeline {

enum class Join { each, time, channels };
enum class Gaps { error, split, fill };
enum class NonFinite { error, fill, pass };

/// The fields of a `read` node.
struct Read {
  std::vector<std::string> path;
  std::string stream;
  std::string format;
  Value channels = "all";  ///< all | indices | "0:96" | names | {group = …} | {not = [...]}
  std::optional<double> start_s, stop_s;
  std::optional<std::int64_t> start, stop;
  Join join = Join::each;
  Gaps gaps = Gaps::error;
  std::optional<double> gap_tolerance_ms;
  NonFinite non_finite = NonFinite::error;
  std::string probe;  ///< A probeinterface JSON or .prb: where the channels' contacts lie.
  Value raw;
};
const op::Schema<Read>& read_schema();

/// One run's worth of input: files opened, channels and range selected, parts joined, gaps handled.
struct Input {
  std::string name;  ///< Shown to users: the path, or "a.bin + 2 more".
  std::vector<std::filesystem::path> paths;
  std::unique_ptr<RecordingSource>
      source;  ///< What remains after selection: read it from segment 0, frame 0.
  NonFinite non_finite = NonFinite::error;
  std::vector<std::string> warnings;
};

/// Opens a recording for a path; callers of the library may supply their own (a recording in
/// memory).
using Opener = std::function<std::unique_ptr<RecordingSource>(const std::filesystem::path& path,
                                                              const Read& read)>;

/// Every input a `read` node names: one per file for `join = each`, else one.
/// Errors: `not_found`, `invalid_spec` "field: …", `corrupt_data`, `unsupported`, each naming the
/// file.
std::vector<Input> open_inputs(const Read& read, const std::filesystem::path& base,
                               const formats::FormatList& formats, const Opener& opener);

/// Size, time stamp and hash of the first and last 64 KiB: tells whether a file is still the one a
/// run read.
Value input_identity(const std::filesystem::path& path);

}  // namespace weir::pipeline
