#include "weir/formats/kinds/nwb/nwb.h"
#include "weir/testing/format_conformance.h"
#include "weir/testing/fuzz.h"

/// Our reading of what HDF5 hands out; HDF5's own parser is fuzzed by its makers.
WEIR_FUZZ(nwb) {
  static const weir::testing::ScratchFolder folder;
  weir::testing::write_bytes(folder / "a.nwb", input);
  weir::testing::try_source(weir::formats::nwb_format(), folder / "a.nwb");
  weir::testing::try_events(weir::formats::nwb_format(), folder / "a.nwb");
}
