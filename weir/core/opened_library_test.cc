#include "weir/core/opened_library.h"

#include <gtest/gtest.h>

#include "weir/core/error.h"
#include "weir/testing/conformance.h"

namespace weir {
namespace {

TEST(OpenedLibrary, NamesThePlacesItLookedAt) {
  testing::expect_error(ErrorCode::unsupported, "libweir_nothing.so is not there",
                        [] { library_entry("weir_nothing", "entry"); });
}

}  // namespace
}  // namespace weir
