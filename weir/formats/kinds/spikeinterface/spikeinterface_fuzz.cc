#include "weir/formats/kinds/spikeinterface/spikeinterface.h"
#include "weir/testing/format_conformance.h"
#include "weir/testing/fuzz.h"

/// binary.json and probegroup.json; the rest serves as a property and as samples in "a.raw".
WEIR_FUZZ(spikeinterface) {
  static const weir::testing::ScratchFolder kFolder;
  std::filesystem::create_directories(kFolder / "properties");
  const auto parts = weir::testing::parts_of(input, 3);
  weir::testing::write_bytes(kFolder / "binary.json", parts[0]);
  weir::testing::write_bytes(kFolder / "probegroup.json", parts[1]);
  weir::testing::write_bytes(kFolder / "properties" / "gain_to_uV.npy", parts[2]);
  weir::testing::write_bytes(kFolder / "a.raw", parts[2]);
  weir::testing::try_source(weir::formats::spikeinterface_format(), kFolder.path());
}
