#include "weir/model/expr/model_function.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "weir/core/error.h"
#include "weir/model/expr/operations.h"
#include "weir/model/expr/parameter.h"

namespace weir::model {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

TEST(ModelFunctions, EveryFolderIsFoundByItsName) {
  std::size_t folders = 0;
  for (const auto& entry : fs::directory_iterator(WEIR_SOURCE_DIR "/weir/model/functions")) {
    const std::string name = entry.path().filename();
    if (fs::exists(entry.path() / (name + ".cc"))) {
      ++folders;
      const ModelFunction* found = find_model_function(name);
      ASSERT_NE(found, nullptr) << name;
      EXPECT_EQ(found->name, name);
    }
  }
  EXPECT_EQ(model_functions().size(), folders);
  EXPECT_GE(folders, 2U);
  EXPECT_EQ(find_model_function("no_such_function"), nullptr);
}

TEST(ModelFunctions, EachSaysWhatItIs) {
  for (const ModelFunction* function : model_functions()) {
    ASSERT_GE(function->arguments.size(), 2U) << function->name;
    for (const std::string_view argument : function->arguments) {
      EXPECT_TRUE(is_identifier(argument)) << function->name << " " << argument;
    }
    EXPECT_NE(function->value, nullptr) << function->name;
    EXPECT_FALSE(function->formula.empty()) << function->name;
    EXPECT_FALSE(function->source.empty()) << function->name;
    EXPECT_FALSE(function->summary.empty()) << function->name;
  }
}

Expr last_of(std::span<const Expr> arguments) {
  return arguments.back();
}

TEST(ModelFunctions, TheLastArgumentMayRepeat) {
  const ModelFunction series{.name = "series",
                             .arguments = {"x", "c"},
                             .value = &last_of,
                             .formula = {},
                             .source = {},
                             .repeats_last = true};
  EXPECT_EQ(call(series, {column("x"), 1, 2, 3}).node().operands.size(), 4U);
  try {
    call(series, {column("x")});
    FAIL() << "nothing was refused";
  } catch (const Error& error) {
    EXPECT_THAT(error.text(), HasSubstr("series: takes at least 2 arguments (x, c, ...), not 1"));
  }
  EXPECT_THROW(call(series, {column("x"), 1, constant(0, 1)}), Error);
}

}  // namespace
}  // namespace weir::model
