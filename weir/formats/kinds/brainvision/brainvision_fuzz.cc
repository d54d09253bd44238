#include "weir/formats/kinds/brainvision/brainvision.h"
#include "weir/testing/format_conformance.h"
#include "weir/testing/fuzz.h"

/// A header, its markers, and samples.
WEIR_FUZZ(brainvision) {
  static const weir::testing::ScratchFolder kFolder;
  const auto parts = weir::testing::parts_of(input, 3);
  weir::testing::write_bytes(kFolder / "a.vhdr", parts[0]);
  weir::testing::write_bytes(kFolder / "a.vmrk", parts[1]);
  weir::testing::write_bytes(kFolder / "a.eeg", parts[2]);
  weir::testing::try_source(weir::formats::brainvision_format(), kFolder / "a.vhdr");
  weir::testing::try_events(weir::formats::brainvision_format(), kFolder / "a.vhdr");
}
