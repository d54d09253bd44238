#include "weir/formats/kinds/arrow/arrow.h"
#include "weir/testing/format_conformance.h"
#include "weir/testing/fuzz.h"

WEIR_FUZZ(arrow) {
  static const weir::testing::ScratchFolder kFolder;
  weir::formats::OpenOptions options;
  options.raw.set("rate_hz", 10000);
  weir::testing::write_bytes(kFolder / "a.arrow", input);
  weir::testing::try_events(weir::formats::arrow_format(), kFolder / "a.arrow", options);
}
