#include "weir/formats/kinds/npy/npy_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>

#include "weir/core/error.h"
#include "weir/core/text.h"
#include "weir/formats/numpy_type.h"

namespace weir::formats {
namespace {
constexpr std::int64_t kLongestHeader = 1 << 20;

/// Reads the literal of a Python dictionary, as much of it as headers use.
class Literal {
 public:
  explicit Literal(std::string_view text) : text_(text) {}

  void skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) {
      ++at_;
    }
  }

  bool accept(char c) {
    skip_space();
    if (at_ < text_.size() && text_[at_] == c) {
      ++at_;
      return true;
    }
    return false;
  }

  void expect(char c) {
    if (!accept(c)) {
      throw Error(ErrorCode::corrupt_data,
                  fmt::format("header: expected '{}' at character {}", c, at_));
    }
  }

  std::string_view quoted() {
    skip_space();
    const char quote = at_ < text_.size() ? text_[at_] : '\0';
    if (quote != '\'' && quote != '"') {
      throw Error(ErrorCode::corrupt_data,
                  fmt::format("header: expected text in quotes at character {}", at_));
    }
    const std::size_t start = ++at_;
    at_ = std::min(text_.find(quote, start), text_.size());
    const std::string_view inside = text_.substr(start, at_ - start);
    expect(quote);
    return inside;
  }

  std::string_view word() {
    skip_space();
    const std::size_t start = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0)) {
      ++at_;
    }
    return text_.substr(start, at_ - start);
  }

  bool ends() {
    skip_space();
    return at_ == text_.size();
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

void set_type(NpyHeader& header, std::string_view descr) {
  const NumpyType type = in_context("descr", [&] { return numpy_type(descr); });
  header.type = type.type;
  header.big_endian = type.big_endian;
}

std::vector<std::int64_t> shape_of(Literal& literal) {
  std::vector<std::int64_t> shape;
  literal.expect('(');
  while (!literal.accept(')')) {
    const std::string_view digits = literal.word();
    shape.push_back(in_context("shape", [&] {
      const std::int64_t length = parse_integer(digits);
      if (length < 0) {
        throw Error(ErrorCode::corrupt_data, fmt::format("{} cannot be", length));
      }
      return length;
    }));
    if (!literal.accept(',')) {
      literal.expect(')');
      break;
    }
  }
  return shape;
}

bool truth_of(Literal& literal) {
  const std::string_view word = literal.word();
  if (word != "True" && word != "False") {
    throw Error(ErrorCode::corrupt_data,
                fmt::format("fortran_order: \"{}\" is neither True nor False", word));
  }
  return word == "True";
}

/// Sets one entry, and returns its bit.
unsigned read_entry(Literal& literal, NpyHeader& header) {
  const std::string_view key = literal.quoted();
  literal.expect(':');
  if (key == "descr") {
    if (literal.accept('[')) {
      throw Error(ErrorCode::unsupported, "descr: records of several fields");
    }
    set_type(header, literal.quoted());
    return 1;
  }
  if (key == "fortran_order") {
    header.fortran_order = truth_of(literal);
    return 2;
  }
  if (key == "shape") {
    header.shape = shape_of(literal);
    return 4;
  }
  throw Error(ErrorCode::corrupt_data, fmt::format("header: unknown entry '{}'", key));
}
}  // namespace

NpyHeader parse_npy_dictionary(std::string_view text) {
  try {
    NpyHeader header;
    Literal literal(text);
    unsigned seen = 0;
    literal.expect('{');
    while (!literal.accept('}')) {
      seen |= read_entry(literal, header);
      if (!literal.accept(',')) {
        literal.expect('}');
        break;
      }
    }
    if (seen != 7 || !literal.ends()) {
      throw Error(ErrorCode::corrupt_data,
                  "header: is not {'descr': …, 'fortran_order': …, 'shape': …}");
    }
    return header;
  } catch (const Error& error) {
    const bool field = error.code() == ErrorCode::invalid_spec;
    throw Error(field ? ErrorCode::corrupt_data : error.code(), error.text());
  }
}

std::int64_t npy_header_bytes(std::span<const std::byte> start) {
  const auto byte = [&](std::size_t i) { return std::to_integer<std::int64_t>(start[i]); };
  const std::string_view magic(reinterpret_cast<const char*>(start.data()),
                               std::min(start.size(), kNpyMagic.size()));
  const bool wide = start.size() > 6 && byte(6) >= 2;
  const std::size_t prefix = wide ? 12 : 10;
  if (magic != kNpyMagic || start.size() < prefix) {
    throw Error(ErrorCode::corrupt_data, "does not start as a .npy array");
  }
  if (byte(6) < 1 || byte(6) > 3) {
    throw Error(ErrorCode::unsupported,
                fmt::format(".npy version {}.{} is not read; 1 to 3 are", byte(6), byte(7)));
  }
  std::int64_t length = byte(8) + (byte(9) << 8);
  if (wide) {
    length += (byte(10) << 16) + (byte(11) << 24);
  }
  if (length > kLongestHeader) {
    throw Error(ErrorCode::corrupt_data, fmt::format("header: {} bytes long", length));
  }
  return static_cast<std::int64_t>(prefix) + length;
}

NpyHeader parse_npy_start(std::span<const std::byte> start) {
  const std::int64_t bytes = npy_header_bytes(start);
  if (bytes > std::ssize(start)) {
    throw Error(ErrorCode::corrupt_data,
                fmt::format("header: {} bytes long, but {} are left", bytes, start.size()));
  }
  const std::size_t prefix = std::to_integer<int>(start[6]) >= 2 ? 12 : 10;
  NpyHeader header = parse_npy_dictionary({reinterpret_cast<const char*>(start.data()) + prefix,
                                           static_cast<std::size_t>(bytes) - prefix});
  header.bytes = bytes;
  return header;
}

NpyHeader read_npy_header(const InputFile& file, std::int64_t offset, std::int64_t end) {
  return in_context(file.path().string(), [&] {
    const std::int64_t there = std::max(std::int64_t{0}, std::min(end, file.size()) - offset);
    std::vector<std::byte> start(static_cast<std::size_t>(std::min<std::int64_t>(12, there)));
    file.read(offset, start);
    const std::int64_t bytes = npy_header_bytes(start);
    start.resize(static_cast<std::size_t>(std::min(bytes, there)));
    file.read(offset, start);
    return parse_npy_start(start);
  });
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

}  // namespace weir::formats
