#include "weir/core/error.h"
#include "weir/formats/json.h"
#include "weir/formats/kinds/mtscomp/mtscomp.h"
#include "weir/formats/kinds/mtscomp/mtscomp_header.h"
#include "weir/testing/format_conformance.h"
#include "weir/testing/fuzz.h"

namespace {
/// Chunks the reader may allocate, but a fuzzer has no time for.
bool asks_for_much(std::span<const std::byte> document) {
  try {
    const auto header = weir::formats::parse_mtscomp_header(weir::formats::parse_json(
        {reinterpret_cast<const char*>(document.data()), document.size()}));
    return header.longest_chunk() * header.channels > (1 << 20);
  } catch (const weir::Error&) {
    return false;
  }
}
}  // namespace

/// The header a.ch, and the compressed samples a.cbin.
WEIR_FUZZ(mtscomp) {
  static const weir::testing::ScratchFolder kFolder;
  const auto parts = weir::testing::parts_of(input, 2);
  if (asks_for_much(parts[0])) {
    return;
  }
  weir::testing::write_bytes(kFolder / "a.ch", parts[0]);
  weir::testing::write_bytes(kFolder / "a.cbin", parts[1]);
  weir::testing::try_source(weir::formats::mtscomp_format(), kFolder / "a.cbin");
}
