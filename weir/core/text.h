#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weir {

std::string_view trimmed(std::string_view text) noexcept;
std::vector<std::string> split(std::string_view text, char separator);
bool ends_with_ignoring_case(std::string_view text, std::string_view ending) noexcept;

/// The whole number that `text` is, nothing before or after. Errors: `invalid_spec` quoting it.
std::int64_t parse_integer(std::string_view text);
/// The number that `text` is, independent of the locale. Errors: `invalid_spec` quoting it.
double parse_number(std::string_view text);

/// The whole file. Errors: `not_found`, `io`; `corrupt_data` when longer than `limit` bytes.
std::string read_text_file(const std::string& path, std::int64_t limit = std::int64_t{64} << 20);
/// Written beside `path` and renamed over it. Errors: `io` naming the path.
void write_text_file(const std::string& path, std::string_view text);

/// The text without what moves a terminal's cursor or changes its colours: control characters and
/// bytes that are no UTF-8, those in `kept` apart, are written as `\n`, `\x1b`, `\u0085`.
std::string printable(std::string_view text, std::string_view kept = {});

/// "1,234,567".
std::string grouped(std::int64_t number);
/// "1 h 02 min", "3.4 s", "250 ms".
std::string duration_text(double seconds);

}  // namespace weir
