#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir {

/// What went wrong, by who can act on it. Stable: exit code and Python class follow it.
enum class ErrorCode {
  invalid_spec,
  not_found,
  corrupt_data,
  unsupported,
  device,
  out_of_memory,
  output_exists,
  io,
  internal,
  cancelled
};

/// The code as it is written in reports: "invalid_spec".
std::string_view name(ErrorCode code) noexcept;

/// The process exit code that stands for it.
int exit_code(ErrorCode code) noexcept;

/// The one exception type. `what()` reads outermost context first:
/// "node band (iir): cutoff_hz: 16000 Hz is not below Nyquist (15000 Hz)".
class Error : public std::exception {
 public:
  Error(ErrorCode code, std::string text) : code_(code), text_(std::move(text)) {}
  ErrorCode code() const noexcept { return code_; }
  const std::string& text() const noexcept { return text_; }
  const char* what() const noexcept override { return text_.c_str(); }
  void prefix(std::string_view where);

 private:
  ErrorCode code_;
  std::string text_;
};

/// Run `body`; an `Error` that leaves it gains `where` in front of its text.
template <class Body>
decltype(auto) in_context(std::string_view where, Body&& body) {
  try {
    return std::forward<Body>(body)();
  } catch (Error& error) {
    error.prefix(where);
    throw;
  }
}

/// One thing wrong with a document, placed by node and field. Validation collects them all.
struct Problem {
  std::string node;   ///< Empty for the document itself.
  std::string field;  ///< Empty for the node itself.
  std::string text;
  ErrorCode code = ErrorCode::invalid_spec;
};

/// One line per problem: "node band (iir): order: …". Throws `Error` with the first problem's code;
/// no-op when empty.
void throw_if_any(const std::vector<Problem>& problems);

/// The text of an `errno` value.
std::string errno_text(int number);

/// Throws `io` (or `not_found` for ENOENT) with "path: what: reason of errno".
[[noreturn]] void throw_errno(std::string_view path, std::string_view what);

namespace detail {
[[noreturn]] void check_failed(const char* condition, const char* file, int line);
}
}  // namespace weir

/// A broken invariant of ours, kept in release builds: throws `internal`.
#define WEIR_CHECK(condition)         \
  ((condition) ? static_cast<void>(0) \
               : ::weir::detail::check_failed(#condition, __FILE__, __LINE__))
