#include "weir/cli/arguments.h"

#include <gtest/gtest.h>

namespace weir::cli {
namespace {
struct Sample {
  std::string spec;
  std::vector<std::string> set;
  std::int64_t threads = 0;
  double start_s = 0;
  bool json = false;
};

std::unique_ptr<Command> sample() {
  return make_command<Sample>({
      .name = "sample",
      .summary = "For tests.",
      .schema =
          op::Schema<Sample>{op::field("spec", &Sample::spec, {.required = true, .doc = "A spec."}),
                             op::field("set", &Sample::set), op::field("threads", &Sample::threads),
                             op::field("start_s", &Sample::start_s),
                             op::field("json", &Sample::json)},
      .positional = {"spec"},
      .run = [](const Sample&, Terminal&) {},
  });
}

Value parse(const std::vector<std::string>& words) {
  return parse_arguments(*sample(), words);
}

void refuses(const std::vector<std::string>& words, const std::string& part) {
  try {
    parse(words);
    ADD_FAILURE() << "was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::invalid_spec);
    EXPECT_NE(error.text().find(part), std::string::npos) << error.text();
  }
}

TEST(Arguments, TakesFlagsBeforeAndAfterPlaces) {
  EXPECT_EQ(to_json(parse({"--json", "a.toml", "--threads", "4"})),
            R"({"json":true,"threads":4,"spec":"a.toml"})");
}

struct Pile {
  std::vector<std::string> file;
  std::string out;
};

TEST(Arguments, LeaveAWordForThePlaceAfterAList) {
  const auto pile = make_command<Pile>(
      {.name = "pile",
       .summary = "For tests.",
       .schema = op::Schema<Pile>{op::field("file", &Pile::file, {.required = true, .doc = "In."}),
                                  op::field("out", &Pile::out, {.required = true, .doc = "Out."})},
       .positional = {"file", "out"},
       .run = [](const Pile&, Terminal&) {}});
  EXPECT_EQ(to_json(parse_arguments(*pile, {"a", "o"})), R"({"file":["a"],"out":"o"})");
  EXPECT_EQ(to_json(parse_arguments(*pile, {"a", "b", "c", "o"})),
            R"({"file":["a","b","c"],"out":"o"})");
  try {
    parse_arguments(*pile, {"a"});
    ADD_FAILURE() << "was accepted";
  } catch (const Error& error) {
    EXPECT_NE(error.text().find("out is missing: Out."), std::string::npos) << error.text();
  }
}

TEST(Arguments, TakesValuesWithEqualsAndEitherDash) {
  EXPECT_EQ(to_json(parse({"a", "--start-s=1.5"})), to_json(parse({"a", "--start_s", "1.5"})));
}

TEST(Arguments, GathersRepeatedFlagsInOrder) {
  EXPECT_EQ(to_json(parse({"a", "--set", "x.y=1", "--set=z.w=2"}).at("set")),
            R"(["x.y=1","z.w=2"])");
}

TEST(Arguments, AreNeverEmptyWords) {
  refuses({""}, "spec is empty: A spec.");
  refuses({"a", "--set", ""}, "--set is empty");
  refuses({"a", "--set="}, "--set is empty");
}

TEST(Arguments, TakesNegativeNumbersAndADashAsPlaces) {
  EXPECT_EQ(parse({"-", "--start-s", "-2"}).at("start_s").as_number(), -2);
  EXPECT_EQ(parse({"-"}).at("spec").as_string(), "-");
}

TEST(Arguments, EndsFlagsAtTwoDashes) {
  EXPECT_EQ(parse({"--", "--json"}).at("spec").as_string(), "--json");
}

TEST(Arguments, NamesTheNearestFlag) {
  refuses({"a", "--treads", "4"}, "unknown flag --treads; did you mean --threads?");
  refuses({"a", "-j"}, "flags are written --name");
}

TEST(Arguments, SaysWhatIsMissing) {
  refuses({}, "spec is missing: A spec.");
  refuses({"a", "--threads"}, "--threads needs a value");
  refuses({"a", "b"}, "one word too many: \"b\"");
}

TEST(Arguments, DoesNotBlameTheValueOfAnUnknownFlag) {
  try {
    parse({"a", "--treads", "4"});
    FAIL() << "was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.text(), "unknown flag --treads; did you mean --threads?");
  }
}

TEST(Arguments, QuotesAWordThatIsNoNumber) {
  refuses({"a", "--threads", "four"}, "--threads: \"four\" is no integer");
}

TEST(Arguments, ReportsEveryProblemAtOnce) {
  try {
    parse({"--treads=4", "--start-s", "x"});
    FAIL() << "was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.text(),
              "unknown flag --treads; did you mean --threads?\n--start-s: \"x\" is no number\n"
              "spec is missing: A spec.");
  }
}
}  // namespace
}  // namespace weir::cli
