#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weir/formats/input_file.h"

namespace weir::formats {

/// The records of a file of comma-separated text, one after the other; a file of any length takes
/// one buffer.
/// Source: RFC 4180; lines may also end in LF alone, a byte order mark of UTF-8 is skipped, empty
/// lines are no records.
class CsvRecords {
 public:
  /// `file` must outlive this.
  explicit CsvRecords(const InputFile& file);
  /// From the beginning of a line on.
  CsvRecords(const InputFile& file, std::int64_t offset, std::int64_t line);

  /// The next record's fields without their quotes; false at the end of the file.
  /// Errors: `corrupt_data` "path: line 7: what is wrong".
  bool next(std::vector<std::string>& fields);
  /// Where the record given last began; the first line is 1.
  std::int64_t line() const noexcept { return line_; }
  /// The line that the next record begins on, or one before it that is empty.
  std::int64_t next_line() const noexcept { return next_line_; }
  /// Bytes of everything given so far.
  std::int64_t offset() const noexcept { return base_ + at_; }

 private:
  int peek();  ///< The next byte, or -1 at the end.
  void skip() noexcept { ++at_; }
  bool end_line();
  std::string quoted();
  std::string plain();
  [[noreturn]] void refuse(const std::string& text) const;

  const InputFile& file_;
  std::vector<std::byte> buffer_;
  std::int64_t base_ = 0;  ///< Of the buffer in the file.
  std::int64_t at_ = 0;    ///< In the buffer.
  std::int64_t line_ = 0;
  std::int64_t next_line_ = 1;
};

}  // namespace weir::formats
