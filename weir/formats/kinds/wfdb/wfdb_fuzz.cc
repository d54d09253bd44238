#include "weir/formats/kinds/wfdb/wfdb.h"
#include "weir/testing/format_conformance.h"
#include "weir/testing/fuzz.h"

/// A header, and the signal file a.dat, which serves as annotations too.
WEIR_FUZZ(wfdb) {
  static const weir::testing::ScratchFolder folder;
  const auto parts = weir::testing::parts_of(input, 2);
  weir::testing::write_bytes(folder / "a.hea", parts[0]);
  weir::testing::write_bytes(folder / "a.dat", parts[1]);
  weir::testing::try_source(weir::formats::wfdb_format(), folder / "a.hea");
  weir::testing::write_bytes(folder / "a.atr", parts[1]);
  weir::testing::try_events(weir::formats::wfdb_format(), folder / "a.hea");
}
