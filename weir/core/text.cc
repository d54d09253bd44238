#include "weir/core/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>

#include "weir/core/error.h"

namespace weir {
namespace {
template <class Number>
Number parse_whole(std::string_view text, std::string_view what) {
  const std::string_view bare = trimmed(text);
  Number number{};
  const char* last = bare.data() + bare.size();
  const char* first = bare.starts_with('+') ? bare.data() + 1 : bare.data();
  const auto [end, failure] = std::from_chars(first, last, number);
  if (failure != std::errc() || end != last || bare.empty()) {
    throw Error(ErrorCode::invalid_spec, fmt::format("\"{}\" is not {}", text, what));
  }
  return number;
}
/// Bytes of the UTF-8 sequence that `text` begins with; 0 when it begins with none.
std::size_t sequence_length(std::string_view text) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::size_t length = byte(0) < 0x80                      ? 1
                             : byte(0) >= 0xc2 && byte(0) < 0xe0 ? 2
                             : byte(0) >= 0xe0 && byte(0) < 0xf0 ? 3
                             : byte(0) >= 0xf0 && byte(0) < 0xf5 ? 4
                                                                 : 0;
  if (length > text.size()) {
    return 0;
  }
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0U) != 0x80) {
      return 0;
    }
  }
  return length;
}

std::string escaped(std::string_view sequence) {
  const auto code = static_cast<unsigned char>(sequence.back());
  if (sequence.size() == 2) {
    return fmt::format("\\u{:04x}", code);
  }
  constexpr std::string_view kLetters = "\n\r\t";
  const auto letter = kLetters.find(sequence[0]);
  return letter == kLetters.npos ? fmt::format("\\x{:02x}", code)
                                 : std::string{'\\', std::string_view("nrt")[letter]};
}
}  // namespace

std::string printable(std::string_view text, std::string_view kept) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    const std::string_view sequence = text.substr(0, std::max<std::size_t>(1, length));
    const auto last = static_cast<unsigned char>(sequence.back());
    const bool control = length == 1   ? last < 0x20 || last == 0x7f
                         : length == 2 ? sequence[0] == '\xc2' && last < 0xa0
                                       : length == 0;
    if (control && kept.find(sequence) == kept.npos) {
      out += escaped(sequence);
    } else {
      out += sequence;
    }
    text.remove_prefix(sequence.size());
  }
  return out;
}

std::string_view trimmed(std::string_view text) noexcept {
  constexpr std::string_view kBlank = " \t\r\n";
  const auto first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) {
    return {};
  }
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t first = 0;;) {
    const auto end = text.find(separator, first);
    parts.emplace_back(text.substr(first, end - first));
    if (end == std::string_view::npos) {
      return parts;
    }
    first = end + 1;
  }
}

bool ends_with_ignoring_case(std::string_view text, std::string_view ending) noexcept {
  const auto same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) ==
           std::tolower(static_cast<unsigned char>(b));
  };
  return text.size() >= ending.size() &&
         std::equal(ending.begin(), ending.end(),
                    text.end() - static_cast<std::ptrdiff_t>(ending.size()), same);
}

std::int64_t parse_integer(std::string_view text) {
  return parse_whole<std::int64_t>(text, "a whole number");
}

double parse_number(std::string_view text) {
  return parse_whole<double>(text, "a number");
}

std::string read_text_file(const std::string& path, std::int64_t limit) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             &std::fclose);
  if (!file) {
    throw_errno(path, "cannot open");
  }
  std::string text;
  char piece[1 << 16];
  while (const std::size_t count = std::fread(piece, 1, sizeof piece, file.get())) {
    text.append(piece, count);
    if (static_cast<std::int64_t>(text.size()) > limit) {
      throw Error(ErrorCode::corrupt_data, fmt::format("{}: longer than {} bytes", path, limit));
    }
  }
  if (std::ferror(file.get()) != 0) {
    throw_errno(path, "cannot read");
  }
  return text;
}

void write_text_file(const std::string& path, std::string_view text) {
  const std::string partial = path + ".weir-partial";
  {
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(partial.c_str(), "wb"),
                                                         &std::fclose);
    if (!file) {
      throw_errno(partial, "cannot create");
    }
    const bool written = std::fwrite(text.data(), 1, text.size(), file.get()) == text.size();
    if (!written || std::fflush(file.get()) != 0) {
      const int number = errno;
      std::filesystem::remove(partial);
      errno = number;
      throw_errno(partial, "cannot write");
    }
  }
  if (std::rename(partial.c_str(), path.c_str()) != 0) {
    throw_errno(path, "cannot rename into place");
  }
}

std::string grouped(std::int64_t number) {
  std::string digits = fmt::format("{}", number < 0 ? -number : number);
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3) {
    digits.insert(static_cast<std::size_t>(at), ",");
  }
  return number < 0 ? "-" + digits : digits;
}

std::string duration_text(double seconds) {
  if (seconds < 1) {
    return fmt::format("{:.0f} ms", seconds * 1000);
  }
  if (seconds < 60) {
    return fmt::format("{:.1f} s", seconds);
  }
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  if (whole < 3600) {
    return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  }
  return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

}  // namespace weir
