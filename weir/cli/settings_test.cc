#include "weir/cli/settings.h"

#include <gtest/gtest.h>

#include "weir/testing/conformance.h"

namespace weir::cli {
namespace {

TEST(Settings, NumbersBoolsWordsAndListsAreWhatTheyReadAs) {
  const Value read = settings("--set", {"seed=7", "gain=0.5", "raw=true", "unit=uV", "none=[]",
                                        "peaks_kev=[1173.2, 1332]"});
  EXPECT_EQ(to_json(read),
            R"({"seed":7,"gain":0.5,"raw":true,"unit":"uV","none":[],"peaks_kev":[1173.2,1332]})");
}

TEST(Settings, AWordWithoutAValueIsRefused) {
  for (const char* word : {"seed", "=7", "seed="}) {
    testing::expect_error(ErrorCode::invalid_spec, "--set: \"" + std::string(word) + "\"",
                          [&] { settings("--set", {word}); });
  }
}

}  // namespace
}  // namespace weir::cli
