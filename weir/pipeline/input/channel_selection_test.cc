#include "weir/pipeline/input/channel_selection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weir/formats/json.h"
#include "weir/testing/conformance.h"

namespace weir::pipeline {
namespace {
using ::testing::ElementsAre;

/// Eight channels of two shanks; two of them are called "x".
std::vector<Channel> eight() {
  auto channels = make_channels(8, 1, 0, "uV");
  for (std::size_t i = 0; i < 8; ++i) {
    channels[i].group = i < 4 ? "s0" : "s1";
  }
  channels[2].name = "x";
  channels[6].name = "x";
  return channels;
}

std::vector<std::int64_t> pick(const std::string& json) {
  return select_channels(formats::parse_json(json), eight(), "rec.bin");
}

void expect_refused(const std::string& json, const std::string& part,
                    ErrorCode code = ErrorCode::invalid_spec) {
  testing::expect_error(code, "channels: " + part, [&] { pick(json); });
}

TEST(Channels, PickByEverySpelling) {
  EXPECT_EQ(pick(R"("all")").size(), 8);
  EXPECT_EQ(pick("null").size(), 8);
  EXPECT_THAT(pick("3"), ElementsAre(3));
  EXPECT_THAT(pick("[5, 1]"), ElementsAre(5, 1));
  EXPECT_THAT(pick(R"("2:5")"), ElementsAre(2, 3, 4));
  EXPECT_THAT(pick(R"("0:8:3")"), ElementsAre(0, 3, 6));
  EXPECT_THAT(pick(R"(["6:", ":2"])"), ElementsAre(6, 7, 0, 1));
  EXPECT_THAT(pick(R"(["ch7", 0])"), ElementsAre(7, 0));
  EXPECT_THAT(pick(R"({"group": "s1"})"), ElementsAre(4, 5, 6, 7));
  EXPECT_THAT(pick(R"({"group": ["s1"], "not": [5, "ch7"]})"), ElementsAre(4, 6));
  EXPECT_THAT(pick(R"({"not": {"group": "s0"}})"), ElementsAre(4, 5, 6, 7));
  EXPECT_EQ(pick(R"({"not": []})").size(), 8);
}

TEST(Channels, RefuseWhatIsNotThere) {
  expect_refused("8", "8 is out of range; rec.bin has 8 channels, 0 to 7");
  expect_refused(R"("4:9")", "\"4:9\" is out of range; rec.bin has 8 channels, 0 to 7");
  expect_refused(R"("8:")", "\"8:\" is out of range");
  expect_refused(R"("ch77")", "rec.bin has no channel \"ch77\"; did you mean \"ch7\"?",
                 ErrorCode::not_found);
  expect_refused(R"({"group": "s2"})", "rec.bin has no group \"s2\"; known: s0, s1",
                 ErrorCode::not_found);
}

TEST(Channels, RefuseWhatIsAmbiguous) {
  expect_refused(R"(["x"])", "\"x\" is the name of the channels 2, 6 of rec.bin; select by index");
  expect_refused("[1, 1]", "channel 1 (ch1) is selected twice");
  expect_refused(R"(["0:4", "ch3"])", "channel 3 (ch3) is selected twice");
}

TEST(Channels, RefuseWhatIsNoSelection) {
  expect_refused("[]", "the list is empty");
  expect_refused("-1", "-1 is negative; channels count from 0");
  expect_refused(R"("-3:2")", "\"-3:2\" is negative");
  expect_refused(R"("0:4:0")", "\"0:4:0\" has a step below 1");
  expect_refused("1.5", "expected integer, found number");
  expect_refused("true", "expected string, found bool");
  expect_refused("{}", "an object needs group or not");
  expect_refused(R"({"nto": 3})", "unknown key \"nto\"; did you mean \"not\"?");
  expect_refused(R"({"not": "all"})", "not = all leaves no channel");
  expect_refused(R"({"group": "s0", "not": ["0:4"]})", "no channel of rec.bin is left");
}

TEST(Channels, HaveOneCanonicalSpelling) {
  EXPECT_EQ(canonical_selection(nullptr), Value("all"));
  EXPECT_EQ(to_json(canonical_selection(3)), "[3]");
  EXPECT_EQ(to_json(canonical_selection("0:4")), R"(["0:4"])");
  EXPECT_EQ(to_json(canonical_selection(formats::parse_json(R"({"not":[1]})"))), R"({"not":[1]})");
}

}  // namespace
}  // namespace weir::pipeline
