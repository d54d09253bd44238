#include "weir/formats/kinds/open_ephys/open_ephys.h"
#include "weir/testing/format_conformance.h"
#include "weir/testing/fuzz.h"

/// structure.oebin and settings.xml; the rest serves as sample numbers and as samples of stream
/// "s", and as events.
WEIR_FUZZ(open_ephys) {
  static const weir::testing::ScratchFolder kFolder;
  const auto node = kFolder / "Record Node 1";
  const auto recording = node / "experiment1" / "recording1";
  const auto stream = recording / "continuous" / "s";
  std::filesystem::create_directories(stream);
  const auto parts = weir::testing::parts_of(input, 3);
  weir::testing::write_bytes(recording / "structure.oebin", parts[0]);
  weir::testing::write_bytes(node / "settings.xml", parts[1]);
  weir::testing::write_bytes(stream / "sample_numbers.npy", parts[2]);
  weir::testing::write_bytes(stream / "continuous.dat", parts[2]);
  weir::testing::try_source(weir::formats::open_ephys_format(), kFolder.path());
  const auto events = recording / "events" / "s";
  std::filesystem::create_directories(events);
  for (const char* name : {"states.npy", "text.npy", "sample_numbers.npy"}) {
    weir::testing::write_bytes(events / name, parts[2]);
  }
  weir::testing::try_events(weir::formats::open_ephys_format(), kFolder.path());
}
