#include "weir/formats/kinds/spikeglx/spikeglx.h"
#include "weir/testing/format_conformance.h"
#include "weir/testing/fuzz.h"

/// A header, and samples.
WEIR_FUZZ(spikeglx) {
  static const weir::testing::ScratchFolder kFolder;
  const auto parts = weir::testing::parts_of(input, 2);
  weir::testing::write_bytes(kFolder / "a.meta", parts[0]);
  weir::testing::write_bytes(kFolder / "a.bin", parts[1]);
  weir::testing::try_source(weir::formats::spikeglx_format(), kFolder / "a.bin");
  weir::testing::try_events(weir::formats::spikeglx_format(), kFolder / "a.bin");
}
