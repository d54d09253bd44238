#include "weir/pipeline/input/path_pattern.h"

#include <fmt/format.h>
#include <glob.h>

#include <algorithm>
#include <memory>

#include "weir/core/error.h"

namespace weir::pipeline {
namespace {
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (is_pattern(std::string_view(&c, 1))) {
      out += '[';
      out += c;
      out += ']';
    } else {
      out += c;
    }
  }
  return out;
}
}  // namespace

std::filesystem::path resolved_path(std::string_view text, const std::filesystem::path& base) {
  return (base / text).lexically_normal();
}

bool is_pattern(std::string_view text) noexcept {
  return text.find_first_of("*?[") != std::string_view::npos;
}

std::string absolute_pattern(const std::string& text, const std::filesystem::path& base) {
  if (!is_pattern(text) || std::filesystem::path(text).is_absolute()) {
    return resolved_path(text, base).string();
  }
  return resolved_path(text, escaped(base.string())).string();
}

std::vector<std::filesystem::path> expand_path(const std::string& text,
                                               const std::filesystem::path& base) {
  const auto literal = resolved_path(text, base);
  std::error_code ignored;
  if (!is_pattern(text) || std::filesystem::exists(literal, ignored)) {
    return {literal};
  }
  const std::string pattern = absolute_pattern(text, base);
  glob_t found{};
  const std::unique_ptr<glob_t, void (*)(glob_t*)> owner(&found, &::globfree);
  const int status = ::glob(pattern.c_str(), GLOB_NOESCAPE | GLOB_ERR, nullptr, &found);
  if (status == GLOB_NOMATCH) {
    throw Error(ErrorCode::not_found, fmt::format("path: no file matches {}", pattern));
  }
  if (status != 0) {
    throw Error(ErrorCode::io, fmt::format("path: a folder of {} cannot be read", pattern));
  }
  std::vector<std::filesystem::path> paths(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace weir::pipeline
