#include <gtest/gtest.h>

#include "weir/testing/conformance.h"

namespace weir::testing {

void expect_error(ErrorCode code, const std::string& part, const std::function<void()>& body) {
  try {
    body();
  } catch (const Error& error) {
    EXPECT_EQ(name(error.code()), name(code)) << error.text();
    EXPECT_NE(error.text().find(part), std::string::npos)
        << "\"" << error.text() << "\" does not contain \"" << part << "\"";
    return;
  }
  ADD_FAILURE() << "no Error; expected " << name(code) << " with \"" << part << "\"";
}

}  // namespace weir::testing
