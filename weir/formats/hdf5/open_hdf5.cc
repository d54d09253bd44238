#include <fmt/format.h>

#include "weir/core/error.h"
#include "weir/core/opened_library.h"
#include "weir/core/text.h"
#include "weir/formats/hdf5/hdf5_file.h"

namespace weir::formats {
namespace {
const Hdf5Library* load() {
  try {
    const auto entry =
        reinterpret_cast<const Hdf5Library* (*)()>(library_entry("weir_hdf5", "weir_hdf5"));
    return entry();
  } catch (const Error& error) {
    throw Error(error.code(),
                fmt::format("HDF5 files need the library weir_hdf5: {}", error.text()));
  }
}
}  // namespace

std::shared_ptr<const Hdf5File> open_hdf5(const std::string& path) {
  static const Hdf5Library* const kLibrary = load();
  if (kLibrary->version != Hdf5Library::kVersion) {
    throw Error(ErrorCode::unsupported, "libweir_hdf5.so is of another version of this program");
  }
  try {
    return kLibrary->open(path.c_str());
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    throw Error(ErrorCode::corrupt_data, fmt::format("{}: {}", path, printable(error.what())));
  }
}

}  // namespace weir::formats
