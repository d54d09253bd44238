#include "weir/formats/kinds/wfdb/wfdb.h"
#include "weir/testing/format_conformance.h"
#include "weir/testing/fuzz.h"

/// A header, and the signal file a.dat, which serves as annotations too.
WEIR_FUZZ(wfdb) {
  static const weir::testing::ScratchFolder kFolder;
  const auto parts = weir::testing::parts_of(input, 2);
  weir::testing::write_bytes(kFolder / "a.hea", parts[0]);
  weir::testing::write_bytes(kFolder / "a.dat", parts[1]);
  weir::testing::try_source(weir::formats::wfdb_format(), kFolder / "a.hea");
  weir::testing::write_bytes(kFolder / "a.atr", parts[1]);
  weir::testing::try_events(weir::formats::wfdb_format(), kFolder / "a.hea");
}
