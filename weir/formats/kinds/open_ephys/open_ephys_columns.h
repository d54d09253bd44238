#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace weir::formats {

/// The whole numbers of a one-dimensional .npy, as many as the file has, whatever its header says:
/// a recording that was broken off leaves one that promises fewer.
/// Errors: `unsupported` for other types and shapes, `corrupt_data`, naming the file.
std::vector<std::int64_t> read_npy_integers(const std::filesystem::path& path);

/// Whether a .npy holds whole numbers: those are samples, as `timestamps.npy` before version 0.6.
bool holds_integers(const std::filesystem::path& path);

/// The texts of a one-dimensional .npy of "|S12" or "<U12" as UTF-8, without the blanks that fill
/// them up. Errors: as above.
std::vector<std::string> read_npy_texts(const std::filesystem::path& path);

}  // namespace weir::formats
