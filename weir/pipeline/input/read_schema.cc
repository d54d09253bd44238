#include <array>
#include <span>

#include "weir/pipeline/input/input.h"

namespace weir::pipeline {

std::span<const op::EnumName<Join>> names_of(Join) {
  static constexpr std::array<op::EnumName<Join>, 3> kNames{
      {{"each", Join::each}, {"time", Join::time}, {"channels", Join::channels}}};
  return kNames;
}

std::span<const op::EnumName<Gaps>> names_of(Gaps) {
  static constexpr std::array<op::EnumName<Gaps>, 3> kNames{
      {{"error", Gaps::error}, {"split", Gaps::split}, {"fill", Gaps::fill}}};
  return kNames;
}

std::span<const op::EnumName<NonFinite>> names_of(NonFinite) {
  static constexpr std::array<op::EnumName<NonFinite>, 3> kNames{
      {{"error", NonFinite::error}, {"fill", NonFinite::fill}, {"pass", NonFinite::pass}}};
  return kNames;
}

const op::Schema<Read>& read_schema() {
  using op::field;
  static const op::Schema<Read> kSchema{
      field("path", &Read::path,
            {.required = true,
             .holds = op::Holds::path,
             .doc = "A file or folder, a list, or a glob."}),
      field("stream", &Read::stream,
            {.doc = "A source inside the file; by default the largest electrical one."}),
      field("format", &Read::format, {.doc = "Format name; detected by default."}),
      field("channels", &Read::channels,
            {.doc = "all, indices, \"0:96\", names, {group = name} or {not = [...]}."}),
      field("start_s", &Read::start_s, {.unit = "s", .min = 0, .doc = "Read from here."}),
      field("stop_s", &Read::stop_s, {.unit = "s", .min = 0, .doc = "Read up to here."}),
      field("start", &Read::start, {.unit = "samples", .min = 0, .doc = "Read from this sample."}),
      field("stop", &Read::stop,
            {.unit = "samples", .min = 0, .doc = "Read up to this sample, exclusive."}),
      field("join", &Read::join,
            {.doc = "Many files: one run each, one after the other in time, or side by side."}),
      field("gaps", &Read::gaps, {.doc = "What a gap in time becomes."}),
      field("gap_tolerance_ms", &Read::gap_tolerance_ms,
            {.unit = "ms", .min = 0, .doc = "Longer ones are gaps; half a sample by default."}),
      field("non_finite", &Read::non_finite,
            {.doc = "What NaN and infinities become: an error, 0 in physical units, or nothing."}),
      field("probe", &Read::probe,
            {.holds = op::Holds::path,
             .doc = "A probeinterface JSON or a .prb: gives every electrical channel the place and "
                    "shank of the contact wired to it, whatever the file says."}),
      field("raw", &Read::raw,
            {.doc = "Files without a sidecar: channels, rate_hz, dtype, order, gain, offset, unit, "
                    "header_bytes."})};
  return kSchema;
}

}  // namespace weir::pipeline
