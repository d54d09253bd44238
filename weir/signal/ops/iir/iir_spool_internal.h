#pragma once

#include <filesystem>
#include <optional>
#include <span>

#include "weir/core/buffer.h"
#include "weir/core/temporary_file.h"

namespace weir::signal {

/// How a filter keeps the rows of its forward pass.
struct SpoolPlan {
  std::int64_t rows = 0;  ///< A ring: row r stands where row r - `rows` stood.
  bool in_file = false;   ///< In a temporary file, seen through one piece of memory.
  std::filesystem::path folder;

  /// Rows of a piece for this many channels: about 1 MiB.
  std::int64_t piece_rows(std::int64_t channels) const noexcept;
  std::size_t memory_bytes(std::int64_t channels) const noexcept;
  std::size_t file_bytes(std::int64_t channels) const noexcept;
};

/// A ring of float32 rows, in memory or in a temporary file.
/// Errors: `io` from the temporary file.
class Spool {
 public:
  Spool(const SpoolPlan& plan, std::int64_t channels);

  /// Rows from `first` on that one view may hold, at most `wanted`.
  std::int64_t reach(std::int64_t first, std::int64_t wanted) const noexcept;
  /// Rows up to `last` (exclusive) that one view may hold, at most `wanted`.
  std::int64_t reach_back(std::int64_t last, std::int64_t wanted) const noexcept;
  /// Rows to fill, then to `store`. Lives: until the next call.
  Block<float> room(std::int64_t first, std::int64_t count) const;
  /// Stored rows. Lives: until the next call.
  Block<float> rows(std::int64_t first, std::int64_t count) const;
  void store(std::int64_t first, Block<float> rows);

 private:
  /// Where a row stands in the file: rows with their padding, as in memory.
  std::int64_t offset(std::int64_t row) const noexcept;
  static std::span<float> whole(Block<float> rows) noexcept;

  std::int64_t rows_;
  Buffer memory_;  ///< The ring, or one piece of it.
  std::optional<TemporaryFile> file_;
};

}  // namespace weir::signal
