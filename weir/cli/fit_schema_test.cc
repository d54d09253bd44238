#include <gtest/gtest.h>

#include "weir/analysis/analysis.h"
#include "weir/core/text.h"
#include "weir/core/value.h"

namespace weir::cli {
namespace {

// docs/analysis.schema.json is what `weir fit --schema` prints: write it anew where this fails.
TEST(FitSchema, StandsInTheDocumentation) {
  const std::string documented =
      read_text_file(std::string(WEIR_SOURCE_DIR) + "/docs/analysis.schema.json");
  EXPECT_TRUE(documented == to_json(analysis::analysis_schema(), 2) + '\n')
      << "docs/analysis.schema.json is out of date: weir fit --schema > docs/analysis.schema.json";
}

}  // namespace
}  // namespace weir::cli
