#include "weir/formats/tables/file_bytes.h"

#include <fmt/format.h>

#include "weir/core/text.h"

namespace weir::formats {

void refuse_table(const std::filesystem::path& path, std::string_view reason) {
  throw Error(ErrorCode::corrupt_data, fmt::format("{}: {}", path.string(), printable(reason)));
}

}  // namespace weir::formats
