#pragma once

#include <string>

#include "weir/formats/format.h"

namespace weir::formats {

/// Event tables as text: one line of column names, one line for each event, nothing for a null; and
/// recordings, one line for each row (csv_recording.h).
/// Source: RFC 4180 (lines end in CR LF; quotes around text that needs them).
const Format& csv_format();

/// The text of a cell.
std::string csv_quoted(const std::string& text);

/// The first line, with its end.
std::string csv_header();
/// Appends one row; numbers in the shortest form that reads back as the same number.
void append_csv_row(std::string& text, const EventRow& row);

}  // namespace weir::formats
