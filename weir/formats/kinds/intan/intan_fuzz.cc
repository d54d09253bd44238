#include "weir/formats/kinds/intan/intan.h"
#include "weir/testing/format_conformance.h"
#include "weir/testing/fuzz.h"

/// A traditional file, all its bytes given.
WEIR_FUZZ(intan) {
  static const weir::testing::ScratchFolder folder;
  weir::testing::write_bytes(folder / "a.rhd", input);
  weir::testing::try_source(weir::formats::intan_format(), folder / "a.rhd");
  weir::formats::OpenOptions options;
  options.stream = "auxiliary";
  weir::testing::try_source(weir::formats::intan_format(), folder / "a.rhd", options);
}
