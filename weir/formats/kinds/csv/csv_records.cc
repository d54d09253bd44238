#include "weir/formats/kinds/csv/csv_records.h"

#include <fmt/format.h>

#include <algorithm>

#include "weir/core/error.h"
#include "weir/core/text.h"

namespace weir::formats {
namespace {
constexpr std::int64_t kBufferBytes = 1 << 18;
constexpr std::size_t kLongestField = 1 << 16;
constexpr std::size_t kMostFields = 1024;
}  // namespace

CsvRecords::CsvRecords(const InputFile& file) : file_(file) {
  constexpr std::string_view kMark = "\xef\xbb\xbf";
  std::string head(kMark.size(), '\0');
  if (file_.read_some(0, std::as_writable_bytes(std::span(head))) == kMark.size() &&
      head == kMark) {
    base_ = std::ssize(kMark);
  }
}

CsvRecords::CsvRecords(const InputFile& file, std::int64_t offset, std::int64_t line)
    : file_(file), base_(offset), next_line_(line) {}

int CsvRecords::peek() {
  if (at_ == std::ssize(buffer_)) {
    base_ += at_;
    at_ = 0;
    buffer_.resize(
        static_cast<std::size_t>(std::clamp(file_.size() - base_, std::int64_t{0}, kBufferBytes)));
    buffer_.resize(file_.read_some(base_, buffer_));
    if (buffer_.empty()) {
      return -1;
    }
  }
  return std::to_integer<int>(buffer_[static_cast<std::size_t>(at_)]);
}

void CsvRecords::refuse(const std::string& text) const {
  throw Error(ErrorCode::corrupt_data,
              fmt::format("{}: line {}: {}", file_.path().string(), line_, text));
}

/// Takes the end of a line, if one is next.
bool CsvRecords::end_line() {
  int byte = peek();
  if (byte == '\r') {
    skip();
    if (peek() != '\n') {
      refuse("a carriage return without a line feed");
    }
    byte = '\n';
  }
  if (byte == '\n') {
    skip();
    ++next_line_;
    return true;
  }
  return byte < 0;
}

std::string CsvRecords::quoted() {
  skip();
  std::string text;
  while (text.size() <= kLongestField) {
    const int byte = peek();
    if (byte < 0) {
      refuse("a quoted field does not end");
    }
    skip();
    if (byte == '"') {
      if (peek() != '"') {
        return text;
      }
      skip();
    }
    next_line_ += byte == '\n' ? 1 : 0;
    text += static_cast<char>(byte);
  }
  refuse(fmt::format("a field is longer than {} bytes", grouped(kLongestField)));
}

std::string CsvRecords::plain() {
  std::string text;
  while (text.size() <= kLongestField) {
    const int byte = peek();
    if (byte < 0 || byte == ',' || byte == '\n' || byte == '\r') {
      return text;
    }
    if (byte == '"') {
      refuse("a quote inside a field that does not begin with one");
    }
    skip();
    text += static_cast<char>(byte);
  }
  refuse(fmt::format("a field is longer than {} bytes", grouped(kLongestField)));
}

bool CsvRecords::next(std::vector<std::string>& fields) {
  fields.clear();
  line_ = next_line_;
  while (peek() >= 0 && end_line()) {
    line_ = next_line_;
  }
  if (peek() < 0) {
    return false;
  }
  while (true) {
    if (fields.size() == kMostFields) {
      refuse(fmt::format("more than {} fields", kMostFields));
    }
    fields.push_back(peek() == '"' ? quoted() : plain());
    if (peek() == ',') {
      skip();
    } else if (end_line()) {
      return true;
    } else {
      refuse(fmt::format("field {}: text after the closing quote", fields.size()));
    }
  }
}

}  // namespace weir::formats
