#include "weir/cli/plot/event_marks.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "weir/core/error.h"
#include "weir/core/text.h"

namespace weir::cli {
namespace {
std::string file_of(const std::string& text) {
  const auto path =
      std::filesystem::path(::testing::TempDir()) /
      (std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()) + ".csv");
  write_text_file(path.string(), text);
  return path.string();
}

TEST(EventMarks, TakesColumnsByNameAndQuotedCells) {
  const auto marks = read_event_marks(
      file_of("polarity,onset_s,channel_name\r\n-1,0.5,\"a,\"\"b\"\"\"\r\n1,1e-3,AP1\r\n"));
  ASSERT_EQ(marks.size(), 2U);
  EXPECT_EQ(marks[0].channel_name, "a,\"b\"");
  EXPECT_EQ(marks[0].time_s, 0.5);
  EXPECT_FALSE(marks[0].up);
  EXPECT_TRUE(marks[1].up);
}

TEST(EventMarks, NamesWhatIsWrong) {
  for (const auto& [text, part] :
       {std::pair{"a,b\n", "has no column channel_name"},
        std::pair{"channel_name,onset_s,polarity\nx,1\n", "line 2: 2 cells, not 3"},
        std::pair{"channel_name,onset_s,polarity\nx,one,1\n", "line 2"}}) {
    try {
      read_event_marks(file_of(text));
      ADD_FAILURE() << "accepted: " << text;
    } catch (const Error& error) {
      EXPECT_NE(error.text().find(part), std::string::npos) << error.text();
    }
  }
}
}  // namespace
}  // namespace weir::cli
