#include "weir/formats/kinds/wav/wav.h"
#include "weir/testing/format_conformance.h"
#include "weir/testing/fuzz.h"

/// One file without a sidecar.
WEIR_FUZZ(wav) {
  static const weir::testing::ScratchFolder kFolder;
  weir::testing::write_bytes(kFolder / "a.wav", input);
  weir::testing::try_source(weir::formats::wav_format(), kFolder / "a.wav");
}
