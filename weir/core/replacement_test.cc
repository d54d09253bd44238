#include "weir/core/replacement.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <map>
#include <string>

#include "weir/core/error.h"
#include "weir/core/text.h"

namespace weir {
namespace {
namespace fs = std::filesystem;
using Content = std::map<std::string, std::string>;

class ReplacementTest : public ::testing::Test {
 protected:
  ReplacementTest() {
    std::string name = (fs::temp_directory_path() / "weir-replacement-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
      std::abort();
    }
    folder_ = name;
    replacement_ = {folder_ / "rec.bin",
                    {folder_ / "rec.bin.json", folder_ / "rec.bin.weir.json"},
                    folder_ / "rec.bin.weir-old"};
    put("rec.bin", "old data");
    put("rec.bin.json", "old sidecar");  // No old provenance.
  }
  ~ReplacementTest() override { fs::remove_all(folder_); }
  void put(const std::string& name, const std::string& text) {
    write_text_file((folder_ / name).string(), text);
  }
  Content content() const {
    Content found;
    for (const auto& entry : fs::recursive_directory_iterator(folder_)) {
      if (entry.is_regular_file()) {
        found[fs::relative(entry.path(), folder_).string()] = read_text_file(entry.path().string());
      }
    }
    return found;
  }
  void write_new_companions() {
    put("rec.bin.json", "new sidecar");
    put("rec.bin.weir.json", "new provenance");
  }
  const Content old_{{"rec.bin", "old data"}, {"rec.bin.json", "old sidecar"}};
  const Content new_{{"rec.bin", "new data"},
                     {"rec.bin.json", "new sidecar"},
                     {"rec.bin.weir.json", "new provenance"}};
  fs::path folder_;
  Replacement replacement_;
};

TEST_F(ReplacementTest, EndsWithTheNewContentAlone) {
  EXPECT_EQ(state_of(replacement_), ReplacementState::none);
  set_aside(replacement_);
  write_new_companions();
  put("rec.bin", "new data");
  drop_aside(replacement_);
  EXPECT_EQ(content(), new_);
  EXPECT_EQ(state_of(replacement_), ReplacementState::none);
}

TEST_F(ReplacementTest, PutsBackWhatWasCutOffBeforeTheNewDataStood) {
  for (const bool companions_written : {false, true}) {
    set_aside(replacement_);
    if (companions_written) {
      write_new_companions();
    }
    ASSERT_EQ(state_of(replacement_), ReplacementState::torn);
    put_back(replacement_);
    EXPECT_EQ(content(), old_);
    EXPECT_EQ(state_of(replacement_), ReplacementState::none);
  }
}

TEST_F(ReplacementTest, PutsBackAgainWhenThatWasCutOffToo) {
  set_aside(replacement_);
  write_new_companions();
  put("rec.bin.json", "old sidecar");  // The first companion was back already.
  ASSERT_EQ(state_of(replacement_), ReplacementState::torn);
  put_back(replacement_);
  EXPECT_EQ(content(), old_);
}

TEST_F(ReplacementTest, LeavesWholeContentAloneAtEveryOtherMoment) {
  fs::create_directory(replacement_.aside);  // Cut off before the data moved.
  put("rec.bin.weir-old/rec.bin.json", "old sidecar");
  EXPECT_EQ(state_of(replacement_), ReplacementState::whole);
  drop_aside(replacement_);
  EXPECT_EQ(content(), old_);
  set_aside(replacement_);  // Cut off after the new data stood.
  write_new_companions();
  put("rec.bin", "new data");
  EXPECT_EQ(state_of(replacement_), ReplacementState::whole);
  fs::rename(replacement_.former(), replacement_.aside / "dropped");  // And while dropping.
  EXPECT_EQ(state_of(replacement_), ReplacementState::whole);
  drop_aside(replacement_);
  EXPECT_EQ(content(), new_);
}

TEST_F(ReplacementTest, MovesFolders) {
  fs::remove(replacement_.data);
  fs::create_directory(replacement_.data);
  put("rec.bin/chunk", "old chunk");
  const Content before = content();
  set_aside(replacement_);
  EXPECT_FALSE(fs::exists(replacement_.data));
  put_back(replacement_);
  EXPECT_EQ(content(), before);
}

TEST_F(ReplacementTest, NamesTheDataItCannotMove) {
  fs::remove(replacement_.data);
  try {
    set_aside(replacement_);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::io);
    EXPECT_NE(error.text().find("rec.bin: cannot replace"), std::string::npos) << error.text();
  }
}

}  // namespace
}  // namespace weir
