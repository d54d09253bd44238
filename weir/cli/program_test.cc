#include "weir/cli/program.h"

#include <gtest/gtest.h>

#include "weir/cli/captured_terminal_internal.h"
#include "weir/cli/command_list.h"
#include "weir/core/version.h"

namespace weir::cli {
namespace {
struct Result {
  int code;
  std::string output;
  std::string notes;
};

Result weir(const std::vector<std::string>& words) {
  CapturedTerminal terminal;
  const int code = run_program(words, terminal);
  return {code, terminal.output, terminal.notes};
}

TEST(Program, PrintsItsVersion) {
  const auto result = weir({"--version"});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.output, "weir " + std::string(version()) + "\n");
}

TEST(Program, ListsEveryCommandInItsHelp) {
  const auto result = weir({"--help"});
  EXPECT_EQ(result.code, 0);
  for (const Command* command : commands()) {
    EXPECT_NE(result.output.find("  " + command->name() + " "), std::string::npos)
        << command->name();
  }
}

TEST(Program, HelpsWithEveryCommandAndEveryFlag) {
  for (const Command* command : commands()) {
    const auto result = weir({command->name(), "--help"});
    EXPECT_EQ(result.code, 0);
    EXPECT_EQ(result.output, weir({"help", command->name()}).output);
    for (const auto& field : command->fields()) {
      EXPECT_FALSE(field.doc.empty()) << command->name() << " " << field.name;
    }
  }
}

TEST(Program, NamesTheNearestCommand) {
  const auto result = weir({"inof"});
  EXPECT_EQ(result.code, 2);
  EXPECT_EQ(result.notes, "weir: there is no command \"inof\"; did you mean \"weir info\"?\n");
}

TEST(Program, ReportsEachProblemOnALineOfItsOwn) {
  const auto result = weir({"info", "--jsn"});
  EXPECT_EQ(result.code, 2);
  EXPECT_EQ(result.notes,
            "weir: unknown flag --jsn; did you mean --json?\n"
            "weir: file is missing: A recording or a table; its format is detected.\n");
}

TEST(Program, ExitsWithThreeWhenAFileIsMissing) {
  const auto result = weir({"info", "/no/such/file.bin"});
  EXPECT_EQ(result.code, 3);
  EXPECT_NE(result.notes.find("/no/such/file.bin"), std::string::npos) << result.notes;
  EXPECT_EQ(result.output, "");
}

TEST(Program, TellsTheFieldsOfNodesThatAreNoOperators) {
  const auto result = weir({"ops", "read_events"});
  EXPECT_EQ(result.code, 0);
  EXPECT_NE(result.output.find("stream: string"), std::string::npos) << result.output;
  const auto misspelt = weir({"ops", "wirte"});
  EXPECT_NE(misspelt.notes.find("did you mean \"write\"?"), std::string::npos) << misspelt.notes;
}

TEST(Program, ExitsWithThreeForAnUnknownOperator) {
  const auto result = weir({"ops", "no_such_operator"});
  EXPECT_EQ(result.code, 3);
}
}  // namespace
}  // namespace weir::cli
