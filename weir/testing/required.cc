#include "weir/testing/required.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "weir/core/error.h"
#include "weir/core/text.h"

namespace weir::testing {
namespace {
void skip(const std::string& reason) {
  GTEST_SKIP() << reason;
}
}  // namespace

bool is_required(std::string_view what) {
  const char* list = std::getenv("WEIR_REQUIRE");
  const auto names = split(list == nullptr ? "" : list, ',');
  return std::any_of(names.begin(), names.end(),
                     [what](const std::string& name) { return trimmed(name) == what; });
}

std::shared_ptr<compute::Device> device_or_skip(std::string_view name) {
  try {
    return compute::open_device(name);
  } catch (const Error& error) {
    if (is_required(name.substr(0, name.find(':')))) {
      ADD_FAILURE() << error.text();
    } else {
      skip(error.text());
    }
    return nullptr;
  }
}

}  // namespace weir::testing
