#include "weir/formats/kinds/raw/raw.h"
#include "weir/testing/format_conformance.h"
#include "weir/testing/fuzz.h"

/// A sidecar, and the samples it describes.
WEIR_FUZZ(raw) {
  static const weir::testing::ScratchFolder kFolder;
  const auto parts = weir::testing::parts_of(input, 2);
  weir::testing::write_bytes(kFolder / "ours.bin.json", parts[0]);
  weir::testing::write_bytes(kFolder / "ours.bin", parts[1]);
  weir::testing::try_source(weir::formats::raw_format(), kFolder / "ours.bin");
  weir::testing::write_bytes(kFolder / "other.meta", parts[0]);
  weir::testing::write_bytes(kFolder / "other.bin", parts[1]);
  weir::testing::try_source(weir::formats::raw_format(), kFolder / "other.bin");
}
