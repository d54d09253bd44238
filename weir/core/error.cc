#include "weir/core/error.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace weir {
namespace {
struct CodeFacts {
  std::string_view name;
  int exit;
};
constexpr std::array<CodeFacts, 10> kCodes{{{"invalid_spec", 2},
                                            {"not_found", 3},
                                            {"corrupt_data", 4},
                                            {"unsupported", 4},
                                            {"device", 5},
                                            {"out_of_memory", 6},
                                            {"output_exists", 7},
                                            {"io", 8},
                                            {"internal", 70},
                                            {"cancelled", 130}}};
}  // namespace

std::string_view name(ErrorCode code) noexcept {
  return kCodes[static_cast<std::size_t>(code)].name;
}

int exit_code(ErrorCode code) noexcept {
  return kCodes[static_cast<std::size_t>(code)].exit;
}

void Error::prefix(std::string_view where) {
  text_.insert(0, std::string(where) + ": ");
}

void throw_if_any(const std::vector<Problem>& problems) {
  if (problems.empty()) {
    return;
  }
  std::string text;
  for (const auto& problem : problems) {
    if (!text.empty()) {
      text += '\n';
    }
    if (!problem.node.empty()) {
      text += fmt::format("node {}: ", problem.node);
    }
    if (!problem.field.empty()) {
      text += fmt::format("{}: ", problem.field);
    }
    text += problem.text;
  }
  throw Error(problems.front().code, text);
}

std::string errno_text(int number) {
  return std::strerror(number);
}

void throw_errno(std::string_view path, std::string_view what) {
  const int number = errno;
  const auto code = number == ENOENT ? ErrorCode::not_found : ErrorCode::io;
  throw Error(code, fmt::format("{}: {}: {}", path, what, errno_text(number)));
}

namespace detail {
void check_failed(const char* condition, const char* file, int line) {
  throw Error(ErrorCode::internal,
              fmt::format("{}:{}: broken invariant: {}", file, line, condition));
}
}  // namespace detail
}  // namespace weir
