#include "weir/formats/kinds/csv/csv.h"
#include "weir/testing/format_conformance.h"
#include "weir/testing/fuzz.h"

/// One table, with and without a rate.
WEIR_FUZZ(csv) {
  static const weir::testing::ScratchFolder kFolder;
  weir::testing::write_bytes(kFolder / "a.csv", input);
  weir::testing::try_events(weir::formats::csv_format(), kFolder / "a.csv");
  weir::formats::OpenOptions options;
  options.raw.set("rate_hz", 1000);
  weir::testing::try_events(weir::formats::csv_format(), kFolder / "a.csv", options);
}
