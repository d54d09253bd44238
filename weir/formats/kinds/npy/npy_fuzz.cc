#include "weir/formats/kinds/npy/npy.h"
#include "weir/testing/format_conformance.h"
#include "weir/testing/fuzz.h"

/// One file: an array or an archive.
WEIR_FUZZ(npy) {
  static const weir::testing::ScratchFolder kFolder;
  weir::testing::write_bytes(kFolder / "a.npy", input);
  weir::formats::OpenOptions options;
  options.raw.set("rate_hz", 1000);
  weir::testing::try_source(weir::formats::npy_format(), kFolder / "a.npy", options);
  options.raw.set("order", "channel_major");
  weir::testing::try_source(weir::formats::npy_format(), kFolder / "a.npy", options);
}
