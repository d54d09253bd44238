#include "weir/formats/kinds/npy/npy_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <utility>

#include "weir/core/error.h"
#include "weir/core/text.h"

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
  constexpr std::array<std::pair<std::string_view, StoredType>, 12> kTypes{
      {{"b1", StoredType::uint8},
       {"i1", StoredType::int8},
       {"u1", StoredType::uint8},
       {"i2", StoredType::int16},
       {"u2", StoredType::uint16},
       {"i4", StoredType::int32},
       {"u4", StoredType::uint32},
       {"i8", StoredType::int64},
       {"u8", StoredType::uint64},
       {"f2", StoredType::float16},
       {"f4", StoredType::float32},
       {"f8", StoredType::float64}}};
  const bool has_order =
      !descr.empty() && std::string_view("<>|=").find(descr[0]) != std::string_view::npos;
  const std::string_view code = has_order ? descr.substr(1) : descr;
  const auto* found = std::find_if(kTypes.begin(), kTypes.end(),
                                   [&](const auto& entry) { return entry.first == code; });
  if (found == kTypes.end()) {
    throw Error(ErrorCode::unsupported, fmt::format("descr: type '{}' is no real number", descr));
  }
  header.type = found->second;
  header.big_endian = has_order && descr[0] == '>';
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

NpyHeader read_npy_header(const InputFile& file, std::int64_t offset, std::int64_t end) {
  return in_context(file.path().string(), [&] {
    std::array<unsigned char, 12> start{};
    const std::size_t there = file.read_some(offset, std::as_writable_bytes(std::span(start)));
    const std::string_view magic(reinterpret_cast<const char*>(start.data()), kNpyMagic.size());
    const bool wide = start[6] >= 2;
    const std::int64_t prefix = wide ? 12 : 10;
    if (magic != kNpyMagic || static_cast<std::int64_t>(there) < prefix) {
      throw Error(ErrorCode::corrupt_data, "does not start as a .npy array");
    }
    if (start[6] < 1 || start[6] > 3) {
      throw Error(ErrorCode::unsupported,
                  fmt::format(".npy version {}.{} is not read; 1 to 3 are", start[6], start[7]));
    }
    std::int64_t length = start[8] + 256 * start[9];
    if (wide) {
      length += (std::int64_t{start[10]} << 16) + (std::int64_t{start[11]} << 24);
    }
    if (length > kLongestHeader || offset + prefix + length > end) {
      throw Error(ErrorCode::corrupt_data,
                  fmt::format("header: {} bytes long, but {} are left", length,
                              std::max(std::int64_t{0}, end - offset - prefix)));
    }
    std::string text(static_cast<std::size_t>(length), '\0');
    file.read(offset + prefix, std::as_writable_bytes(std::span(text)));
    NpyHeader header = parse_npy_dictionary(text);
    header.bytes = prefix + length;
    return header;
  });
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

}  // namespace weir::formats
