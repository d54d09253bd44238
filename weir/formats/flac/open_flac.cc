#include <fmt/format.h>

#include <new>

#include "weir/core/error.h"
#include "weir/core/opened_library.h"
#include "weir/formats/flac/flac_file.h"

namespace weir::formats {
namespace {
const FlacLibrary* load() {
  try {
    const auto entry =
        reinterpret_cast<const FlacLibrary* (*)()>(library_entry("weir_flac", "weir_flac"));
    return entry();
  } catch (const Error& error) {
    throw Error(error.code(),
                fmt::format("FLAC files need the library weir_flac: {}", error.text()));
  }
}

/// What the library finds wrong is damage of the file.
template <class Body>
decltype(auto) naming(const std::string& path, Body&& body) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    throw Error(ErrorCode::corrupt_data, fmt::format("{}: {}", path, error.what()));
  }
}
}  // namespace

std::unique_ptr<FlacFile> open_flac(const std::string& path) {
  static const FlacLibrary* const kLibrary = load();
  if (kLibrary->version != FlacLibrary::kVersion) {
    throw Error(ErrorCode::unsupported, "libweir_flac.so is of another version of this program");
  }
  return naming(path, [&] { return kLibrary->open(path.c_str()); });
}

void read_flac(FlacFile& file, const std::string& path, std::int64_t first,
               std::span<std::int32_t> out) {
  naming(path, [&] { file.read(first, out); });
}

}  // namespace weir::formats
