#include "weir/formats/kinds/intan/intan.h"
#include "weir/testing/format_conformance.h"
#include "weir/testing/fuzz.h"

/// A traditional file, all its bytes given.
WEIR_FUZZ(intan) {
  static const weir::testing::ScratchFolder kFolder;
  weir::testing::write_bytes(kFolder / "a.rhd", input);
  weir::testing::try_source(weir::formats::intan_format(), kFolder / "a.rhd");
  weir::formats::OpenOptions options;
  options.stream = "auxiliary";
  weir::testing::try_source(weir::formats::intan_format(), kFolder / "a.rhd", options);
}
