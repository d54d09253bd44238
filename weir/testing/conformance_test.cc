#include "weir/testing/conformance.h"

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "weir/testing/broken_promises.h"
#include "weir/testing/fake_operators.h"

namespace weir::testing {
namespace {

using Maker = std::unique_ptr<op::Operator> (*)(Fault);

struct Fake {
  Maker make;
  Value params;
};

Value with(const char* key, Value value) {
  Value params = Value::object();
  params.set(key, std::move(value));
  return params;
}

Fake gain() {
  return {&fake_gain, with("gain", 1.5)};
}
Fake running_sum() {
  return {&fake_running_sum, Value::object()};
}
Fake echo() {
  return {&fake_echo, with("frames", 20)};
}
Fake decimator() {
  return {&fake_decimator, with("factor", 8)};
}
Fake centred() {
  return {&fake_centred, Value::object()};
}
Fake detector() {
  return {&fake_detector, with("level", 60.0)};
}
Fake table() {
  return {&fake_table, Value::object()};
}
Fake listener() {
  return {&fake_listener, with("longest", 50)};
}
Fake on_device() {
  return {&fake_on_device, Value::object()};
}

const StreamInfo kStream = make_stream(30000, 37, 3000);

std::string all_broken(const Fake& fake, Fault fault) {
  std::string text;
  for (const auto& sentence : broken_promises(*fake.make(fault), fake.params, kStream)) {
    text += sentence + "\n";
  }
  return text;
}

TEST(Conformance, PassesTheGood) {
  for (const auto& fake : {gain(), running_sum(), echo(), decimator(), centred(), detector(),
                           listener(), table(), on_device()}) {
    check_operator(*fake.make(Fault::none), fake.params, kStream, {.int16_input = true});
  }
}

struct Broken {
  const char* name;
  Fake fake;
  Fault fault;
  const char* caught_as;  ///< A part of the sentence that must appear.
};

std::vector<Broken> all_faults() {
  return {
      {"Leaks", gain(), Fault::leaks, "state_bytes"},
      {"UnderstatesState", running_sum(), Fault::understates_state, "state_bytes"},
      {"DropsTail", echo(), Fault::drops_tail, "its port says"},
      {"ReadsUnwritten", running_sum(), Fault::reads_unwritten, "never written"},
      {"DependsOnBlock", gain(), Fault::depends_on_block, "depends on the cut"},
      {"DecimatesWithoutGrid", decimator(), Fault::depends_on_block, "its port says"},
      {"DependsOnGroup", gain(), Fault::depends_on_group, "groups of 32"},
      {"ForgetsWhenSaved", running_sum(), Fault::forgets_when_saved, "saved and loaded"},
      {"EmitsTooMuch", gain(), Fault::lies_about_output, "max_output"},
      {"EmitsTwiceAsMuch", decimator(), Fault::lies_about_output, "max_output"},
      {"SharesState", running_sum(), Fault::shares_state, "disturb each other"},
      {"RemembersTheSegmentBefore", running_sum(), Fault::shares_state, "remembers"},
      {"SpreadsNan", running_sum(), Fault::spreads_nan, "nan at frame"},
      {"SpreadsNanOverRows", gain(), Fault::spreads_nan, "nan at frame"},
      {"UnderstatesLatency", echo(), Fault::understates_latency, "latency"},
      {"UnderstatesSettling", running_sum(), Fault::understates_settling, "settle_frames"},
      {"ChangesInput", gain(), Fault::changes_input, "changed row"},
      {"IsNotParallelOverFrames", gain(), Fault::looks_ahead, "run backwards"},
      {"HasTheWrongRate", decimator(), Fault::wrong_rate, "ports: a rate"},
      {"HasARatioWhereRowsAreNoFrames", table(), Fault::wrong_rate, "ports: a ratio of 1"},
      {"SpreadsMoreThanItSays", table(), Fault::wrong_spread, "ports: 74 channels"},
      {"EmitsEventsLate", detector(), Fault::unordered_events, "latency"},
      {"DependsOnTheInstructionSet", gain(), Fault::depends_on_target, "of full scale"},
      {"FitsToTheCut", centred(), Fault::fit_depends_on_cut, "the fit depends"},
      {"AnswersWhenTold", listener(), Fault::answers_when_told, "depends on the cut"},
      {"UnderstatesDeviceBytes", on_device(), Fault::device_understates_bytes, "device_bytes"},
      {"LaunchesOften", on_device(), Fault::device_launches_often, "launches"},
      {"DependsOnBlockOnDevice", on_device(), Fault::device_depends_on_block,
       "on host: the answer"},
      {"HandsNothingOver", on_device(), Fault::device_forgets, "saved and loaded"},
      {"WritesElsewhereOnDevice", on_device(), Fault::device_writes_elsewhere, "outside"},
      {"NamesTheWrongChannel", detector(), Fault::wrong_event_channel, "depends on the cut"},
  };
}

class CatchesWhatIsBroken : public ::testing::TestWithParam<Broken> {};

TEST_P(CatchesWhatIsBroken, AndNamesThePromise) {
  const Broken& broken = GetParam();
  const std::string sentences = all_broken(broken.fake, broken.fault);
  EXPECT_NE(sentences.find(broken.caught_as), std::string::npos)
      << "expected \"" << broken.caught_as << "\" among:\n"
      << sentences;
}

INSTANTIATE_TEST_SUITE_P(Conformance, CatchesWhatIsBroken, ::testing::ValuesIn(all_faults()),
                         [](const auto& broken) { return std::string(broken.param.name); });

/// Looks like the gain, but reads its parameters without looking.
class Careless final : public op::Operator {
 public:
  const std::string& name() const noexcept override { return good_->name(); }
  const std::string& summary() const noexcept override { return good_->summary(); }
  const std::vector<op::FieldInfo>& fields() const noexcept override { return good_->fields(); }
  const op::DeviceText& device() const noexcept override { return good_->device(); }
  void check(const Value&, const std::string&, std::vector<Problem>&) const override {}
  Value canonical(const Value& params) const override {
    Value longer = params;
    longer.set("gain", params.at("gain").as_number() + 1);
    return longer;
  }
  op::InputForm input_form(const Value&, const StreamInfo&) const override { return {}; }
  std::unique_ptr<op::Step> plan(const Value& params,
                                 const op::StepContext& context) const override {
    return good_->plan(params, context);
  }

 private:
  std::unique_ptr<op::Operator> good_ = fake_gain();
};

TEST(Conformance, CatchesAnOperatorThatChecksNothing) {
  const auto sentences = broken_promises(Careless(), with("gain", 1.0), kStream);
  const auto any = [&](const char* part) {
    return std::any_of(sentences.begin(), sentences.end(), [&](const std::string& sentence) {
      return sentence.find(part) != std::string::npos;
    });
  };
  EXPECT_TRUE(any("limits: gain = 1001"));
  EXPECT_TRUE(any("limits: gain = -1001"));
  EXPECT_TRUE(any("unknown key"));
  EXPECT_TRUE(any("canonical form"));
}

TEST(Conformance, FailsTheTestOfABrokenOperator) {
  ::testing::TestPartResultArray results;
  {
    const ::testing::ScopedFakeTestPartResultReporter catches(&results);
    check_operator(*fake_gain(Fault::lies_about_output), with("gain", 1.0), kStream,
                   {.frames = 300});
  }
  ASSERT_GT(results.size(), 0);
  EXPECT_NE(std::string(results.GetTestPartResult(0).message()).find("max_output"),
            std::string::npos);
}

TEST(Conformance, ShiftsCountsToPhysicalZero) {
  StreamInfo stream = make_stream(1000, 2, 3, SampleType::int16);
  stream.channels[1].gain = 0.5;
  stream.channels[1].offset = -4;
  const Samples in{3, 2, {1, 10, 2, 20, 3, 30}};
  const Outcome outcome = run_operator(*fake_gain(), with("gain", 1.0), stream, in);
  EXPECT_EQ(outcome.samples, (Samples{3, 2, {1, 2, 2, 12, 3, 22}}));
}

TEST(Conformance, RunsEverySegmentFromItsStart) {
  StreamInfo stream = make_stream(1000, 1, 2);
  stream.segments.resize(2);
  stream.segments[1].frames = 3;
  const Outcome outcome =
      run_operator(*fake_running_sum(), Value::object(), stream, {5, 1, {1, 2, 3, 4, 5}});
  EXPECT_EQ(outcome.samples, (Samples{5, 1, {1, 3, 3, 7, 12}}));
}

}  // namespace
}  // namespace weir::testing
