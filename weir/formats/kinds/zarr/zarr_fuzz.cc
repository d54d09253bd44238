#include <string_view>

#include "weir/core/error.h"
#include "weir/formats/json.h"
#include "weir/formats/kinds/zarr/zarr.h"
#include "weir/formats/kinds/zarr/zarr_array_metadata.h"
#include "weir/testing/format_conformance.h"
#include "weir/testing/fuzz.h"

namespace {
/// Chunks the reader may allocate, but a fuzzer has no time for.
bool asks_for_much(std::span<const std::byte> document) {
  try {
    const auto metadata = weir::formats::parse_array_metadata(weir::formats::parse_json(
        std::string_view(reinterpret_cast<const char*>(document.data()), document.size())));
    return metadata.chunk_samples() > (1 << 20) || metadata.chunks_per_shard() > (1 << 16);
  } catch (const weir::Error&) {
    return false;
  }
}
}  // namespace

/// The group's document, its array's document, and the array's first shard.
WEIR_FUZZ(zarr) {
  static const weir::testing::ScratchFolder folder;
  const auto parts = weir::testing::parts_of(input, 3);
  if (asks_for_much(parts[1])) {
    return;
  }
  const auto array = folder / "traces_seg0";
  std::filesystem::create_directories(array / "c" / "0");
  weir::testing::write_bytes(folder / "zarr.json", parts[0]);
  weir::testing::write_bytes(array / "zarr.json", parts[1]);
  weir::testing::write_bytes(array / "c" / "0" / "0", parts[2]);
  weir::testing::try_source(weir::formats::zarr_format(), folder.path());
  weir::formats::OpenOptions options;
  options.raw.set("rate_hz", 1000);
  weir::testing::try_source(weir::formats::zarr_format(), array, options);
}
