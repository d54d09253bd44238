#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "weir/core/value.h"

namespace weir::formats {

/// What a writer needs to go on after a kill: a small document and, behind it, bytes not yet in the
/// partial file.
struct SavedWriter {
  Value fields;
  std::vector<std::byte> pending;
};

/// `writer` names who saved, so that nobody else resumes from it.
std::vector<std::byte> encode_saved(std::string_view writer, const SavedWriter& saved);
/// Errors: `corrupt_data` when the bytes are not what `writer` saved.
SavedWriter decode_saved(std::string_view writer, std::span<const std::byte> bytes);

/// Lists of whole numbers inside `fields`.
Value to_value(const std::vector<std::int64_t>& numbers);
std::vector<std::int64_t> to_integers(const Value& value);

}  // namespace weir::formats
