#include <string_view>

#include "weir/core/error.h"
#include "weir/formats/json.h"
#include "weir/formats/kinds/zarr/zarr.h"
#include "weir/formats/kinds/zarr/zarr_array_metadata.h"
#include "weir/testing/format_conformance.h"
#include "weir/testing/fuzz.h"

namespace {
std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Documents of version 2 have `chunks`, those of version 3 a `chunk_grid`.
bool is_version_2(std::span<const std::byte> document) {
  return text_of(document).find("\"chunks\"") != std::string_view::npos;
}

/// Chunks the reader may allocate, but a fuzzer has no time for.
bool asks_for_much(std::span<const std::byte> document) {
  try {
    const auto value = weir::formats::parse_json(text_of(document));
    const auto metadata = is_version_2(document)
                              ? weir::formats::parse_v2_metadata(value, weir::Value::object())
                              : weir::formats::parse_array_metadata(value);
    return metadata.chunk_samples() > (1 << 20) || metadata.chunks_per_shard() > (1 << 16);
  } catch (const weir::Error&) {
    return false;
  }
}
}  // namespace

/// The group's document (its attributes in version 2), its array's document, and the array's first
/// chunk file, which is a shard where it is sharded.
WEIR_FUZZ(zarr) {
  const weir::testing::ScratchFolder folder;
  const auto parts = weir::testing::parts_of(input, 3);
  if (asks_for_much(parts[1])) {
    return;
  }
  for (const char* name : {"traces_seg0", "traces"}) {
    const auto array = folder / name;
    if (is_version_2(parts[1])) {
      std::filesystem::create_directories(array);
      weir::testing::write_string(folder / ".zgroup", R"({"zarr_format": 2})");
      weir::testing::write_bytes(folder / ".zattrs", parts[0]);
      weir::testing::write_bytes(array / ".zarray", parts[1]);
      weir::testing::write_bytes(array / "0.0", parts[2]);
    } else {
      std::filesystem::create_directories(array / "c" / "0");
      weir::testing::write_bytes(folder / "zarr.json", parts[0]);
      weir::testing::write_bytes(array / "zarr.json", parts[1]);
      weir::testing::write_bytes(array / "c" / "0" / "0", parts[2]);
    }
  }
  weir::testing::try_source(weir::formats::zarr_format(), folder.path());
  weir::formats::OpenOptions options;
  options.raw.set("rate_hz", 1000);
  weir::testing::try_source(weir::formats::zarr_format(), folder / "traces", options);
}
