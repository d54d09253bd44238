#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "weir/formats/kinds/wfdb/wfdb_header.h"
#include "weir/formats/kinds/wfdb/wfdb_source.h"

namespace weir::formats {

/// A record as one or several segments.
struct WfdbContent {
  std::vector<WfdbSignal>
      signals;  ///< Those of the record: of its only segment, its layout or its first.
  std::vector<WfdbPart> parts;       ///< Their leads are by signal.
  std::vector<std::int64_t> starts;  ///< First frame of each part on the record's clock.
  std::vector<std::string> warnings;
};

/// Reads what a header describes, its segments from the headers beside it.
/// Errors: those of the segments, naming their headers; `corrupt_data` where they do not fit.
/// Source: WFDB Applications Guide, header(5), "multi-segment records".
WfdbContent open_wfdb_content(const WfdbHeader& header, const std::filesystem::path& hea);

/// The header in a file. Errors: `not_found`, `corrupt_data`, `unsupported` naming it.
WfdbHeader read_wfdb_header(const std::filesystem::path& hea,
                            WfdbHeaderOf of = WfdbHeaderOf::record);

}  // namespace weir::formats
