#include "weir/cli/command_help.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "weir/cli/command_list.h"
#include "weir/core/error.h"
#include "weir/core/text.h"

namespace weir::cli {
namespace {
/// Compares with the text people have looked at; tools/approve writes it anew.
void expect_approved(const std::string& name, const std::string& text) {
  const std::string path =
      std::string(WEIR_SOURCE_DIR) + "/weir/cli/approved/" + name + ".approved.txt";
  if (std::getenv("WEIR_APPROVE") != nullptr) {
    write_text_file(path, text);
  }
  try {
    EXPECT_EQ(read_text_file(path), text) << "if this is better, run tools/approve";
  } catch (const Error& error) {
    ADD_FAILURE() << error.text() << "\nrun tools/approve and look at what it writes";
  }
}

TEST(CommandHelp, OfTheProgramReadsAsApproved) {
  expect_approved("weir", program_help());
}

TEST(CommandHelp, OfEachCommandReadsAsApproved) {
  for (const Command* command : commands()) {
    expect_approved("weir_" + command->name(), command_help(*command));
  }
}

TEST(CommandHelp, BreaksLinesAtSpaces) {
  EXPECT_EQ(wrapped("one two three", 7, 2), "one two\n  three");
  EXPECT_EQ(wrapped("unbreakable", 3, 2), "unbreakable");
}
}  // namespace
}  // namespace weir::cli
