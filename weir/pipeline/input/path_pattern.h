#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace weir::pipeline {

/// `text` against `base`, without "." and "..".
std::filesystem::path resolved_path(std::string_view text, const std::filesystem::path& base);

/// Whether `text` holds a glob character: `*`, `?` or `[`.
bool is_pattern(std::string_view text) noexcept;

/// As `resolved_path`, for a text that may be a glob: glob characters of `base` are escaped.
std::string absolute_pattern(const std::string& text, const std::filesystem::path& base);

/// The paths that `text` stands for, sorted by name. What exists under exactly this name is that
/// path, whatever characters it holds; else `*`, `?` and `[a-z]` match within one folder or file
/// name, and a dot at the start of a name only by a dot. Errors: `not_found` when a glob matches
/// nothing.
std::vector<std::filesystem::path> expand_path(const std::string& text,
                                               const std::filesystem::path& base);

}  // namespace weir::pipeline
