#include "weir/formats/kinds/csv/csv.h"
#include "weir/testing/format_conformance.h"
#include "weir/testing/fuzz.h"

/// One table, with and without a rate.
WEIR_FUZZ(csv) {
  static const weir::testing::ScratchFolder folder;
  weir::testing::write_bytes(folder / "a.csv", input);
  weir::testing::try_events(weir::formats::csv_format(), folder / "a.csv");
  weir::formats::OpenOptions options;
  options.raw.set("rate_hz", 1000);
  weir::testing::try_events(weir::formats::csv_format(), folder / "a.csv", options);
}
