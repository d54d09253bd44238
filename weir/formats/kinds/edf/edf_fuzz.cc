#include "weir/formats/kinds/edf/edf.h"
#include "weir/testing/format_conformance.h"
#include "weir/testing/fuzz.h"

/// One file; its first stream and one that is named.
WEIR_FUZZ(edf) {
  static const weir::testing::ScratchFolder kFolder;
  weir::testing::write_bytes(kFolder / "a.edf", input);
  weir::testing::try_source(weir::formats::edf_format(), kFolder / "a.edf");
  weir::testing::try_events(weir::formats::edf_format(), kFolder / "a.edf");
  weir::formats::OpenOptions options;
  options.stream = "1 Hz";
  weir::testing::try_source(weir::formats::edf_format(), kFolder / "a.edf", options);
}
