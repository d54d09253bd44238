#pragma once

#include <string>
#include <vector>

#include "weir/core/error.h"
#include "weir/formats/hdf5/hdf5_file.h"

namespace weir::formats {

/// Runs `body`; what HDF5 finds wrong with an array is damage of the file.
template <class Body>
decltype(auto) nwb_reading(const std::string& path, Body&& body) {
  try {
    return body();
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    throw Error(ErrorCode::corrupt_data, path + ": " + error.what());
  }
}

/// All numbers of an array of one axis (or a single one), at most `most`, as float64.
/// Errors: `corrupt_data`, `unsupported` naming `path`.
std::vector<double> nwb_numbers(const Hdf5Dataset& dataset, const std::string& path,
                                std::int64_t most);
/// `count` numbers from `first` on.
std::vector<double> nwb_numbers(const Hdf5Dataset& dataset, const std::string& path,
                                std::int64_t first, std::int64_t count);

}  // namespace weir::formats
