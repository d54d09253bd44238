#include "weir/formats/kinds/parquet/parquet.h"
#include "weir/testing/format_conformance.h"
#include "weir/testing/fuzz.h"

WEIR_FUZZ(parquet) {
  static const weir::testing::ScratchFolder kFolder;
  weir::formats::OpenOptions options;
  options.raw.set("rate_hz", 10000);
  weir::testing::write_bytes(kFolder / "a.parquet", input);
  weir::testing::try_events(weir::formats::parquet_format(), kFolder / "a.parquet", options);
}
