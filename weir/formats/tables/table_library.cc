#include <fmt/format.h>

#include "weir/core/error.h"
#include "weir/core/opened_library.h"
#include "weir/formats/tables/table_file.h"

namespace weir::formats {
namespace {
const TableLibrary* load() {
  try {
    const auto entry =
        reinterpret_cast<const TableLibrary* (*)()>(library_entry("weir_arrow", "weir_arrow"));
    return entry();
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("Parquet and Arrow need the library weir_arrow, which is "
                                          "built when tools/install arrow has run: {}",
                                          error.text()));
  }
}
}  // namespace

const TableLibrary& table_library() {
  static const TableLibrary* const kLibrary = load();
  if (kLibrary->version != TableLibrary::kVersion) {
    throw Error(ErrorCode::unsupported,
                fmt::format("libweir_arrow.so is of another version of this program ({}, not {})",
                            kLibrary->version, TableLibrary::kVersion));
  }
  return *kLibrary;
}

}  // namespace weir::formats
